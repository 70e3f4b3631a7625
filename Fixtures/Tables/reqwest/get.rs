//! Fetches a page with reqwest.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), reqwest::Error> {
    let response = reqwest::get("http://api.example/").await?;
    println!("{}", response.text().await?.len());
    Ok(())
}
