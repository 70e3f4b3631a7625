// Reads a stream with fetch. Usage: node-fetch.mjs [remedy]
const silence = process.argv.includes('remedy') ? 3000 : Infinity;

while (true) {
  const abort = new AbortController();
  let timer;
  const watch = () => {
    clearTimeout(timer);
    if (silence !== Infinity) timer = setTimeout(() => abort.abort(), silence);
  };
  try {
    watch();
    const response = await fetch('http://api.example/drip', { signal: abort.signal });
    for await (const data of response.body) {
      watch();
      process.stdout.write(data);
    }
  } catch (error) {
    console.log(error.message);
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
}
