// Reads a stream, and exits when it ends. Usage: drip.mjs URL
import http from "node:http";
import https from "node:https";

const url = process.argv[2];
(url.startsWith("https:") ? https : http).get(url, (answer) => {
  answer.on("data", (bytes) => process.stdout.write(bytes));
  answer.on("end", () => process.exit(0));
}).on("error", (error) => {
  console.error(error.message);
  process.exit(1);
});
