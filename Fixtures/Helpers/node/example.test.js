// The example of the page about test helpers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipReason, withLab } from "handover";

// The client queries a server five times per second.
async function poll() {
  for (;;) {
    try {
      const answer = await fetch("http://api.example/", {
        signal: AbortSignal.timeout(3_000), // the remedy
      });
      await answer.text();
    } catch (error) {
      console.log("lost:", error.message);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test("poll survives a move", { skip: await skipReason() }, async () => {
  await withLab({ network: "wifi" }, async (lab) => {
    const client = await lab.runFunction(poll);
    await lab.waitForData();
    await lab.move("cellular");
    const got = await lab.recovery({ within: 10 });
    assert.equal(got.verdict, "recovers");
    assert.ok(got.attempts >= 1);
    await client.waitForOutput("lost");
  });
});
