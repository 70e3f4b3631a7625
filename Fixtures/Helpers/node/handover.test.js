import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { LabError, LabUnavailable, skipReason, verdictOf, withLab } from "handover";

const skip = await skipReason();

// A client that waits for a stream without a limit.
async function patient(url) {
  for await (const _ of (await fetch(url)).body);
}

const PATIENT = [patient, "http://api.example/drip"];

/** Runs a body with a command that is a shell script. */
async function withCommand(text, body) {
  const [folder, previous] = [mkdtempSync(join(tmpdir(), "handover")), process.env];
  const path = join(folder, "handover");
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  process.env = { ...previous, HANDOVER_COMMAND: path };
  try {
    await body();
  } finally {
    process.env = previous;
    rmSync(folder, { recursive: true });
  }
}

test("a client that waits forever gets no data", { skip }, async () => {
  await withLab({ network: "cellular" }, async (lab) => {
    await lab.runFunction(...PATIENT);
    assert.equal((await lab.recovery()).verdict, "no-outage");
    await lab.waitForData();
    await lab.move("wifi");
    const got = await lab.recovery({ within: 2 });
    assert.equal(got.verdict, "no-data");
    assert.equal(got.attempts, 0);
    await lab.move("none");
    assert.equal((await lab.recovery({ within: 1 })).verdict, "no-network");
  });
});

test("a client that ends after the change has ended", { skip }, async () => {
  await withLab({}, async (lab) => {
    const client = await lab.runFunction(...PATIENT);
    await lab.waitForData();
    await lab.move("kill");
    assert.equal((await lab.recovery({ within: 60 })).verdict, "ended");
    assert.equal((await client.wait()).status, 1);
  });
});

test("verdicts follow from the outage", () => {
  const outage = { recovers_us: null, delay_us: null, watched_us: 2 };
  assert.equal(verdictOf({ ...outage, recovers_us: 9, delay_us: 1 }, 1), "recovers");
  assert.equal(verdictOf({ ...outage, recovers_us: 9 }, 9), "recovers");
  assert.equal(verdictOf({ ...outage, recovers_us: 9, delay_us: 2 }, 1), "late");
  assert.equal(verdictOf({ ...outage, program_end: "status 1" }, 1), "ended");
  assert.equal(verdictOf({ ...outage, doubt: "no-network" }, 1), "no-network");
  assert.equal(verdictOf({ ...outage, doubt: "silent-before" }, 1), null);
  assert.equal(verdictOf(outage, 1), "no-data");
  assert.equal(verdictOf(outage, 2), null);
});

test("programs have a status, an output and an end", { skip }, async () => {
  await withLab({ condition: ["wifi:delay=40ms"], until: "5min" }, async (lab) => {
    await lab.quality("wifi:delay=80ms");
    const { status, output } = await (await lab.run(["sh", "-c", "echo $A; exit 7"], { A: "b" }))
      .wait();
    assert.deepEqual([status, output], [7, "b\n"]);
    const endless = await lab.run(["sleep", "3600"]);
    assert.equal((await endless.state()).running, true);
    await endless.stop();
    assert.equal((await endless.state()).running, false);
  });
});

test("mistakes are errors, and the lab continues", { skip }, async () => {
  await withLab({}, async (lab) => {
    await assert.rejects(lab.move("mars"), /unknown move "mars"/);
    await assert.rejects(lab.quality("wifi:slow"), /invalid condition/);
    await assert.rejects(lab.run(["no-such-program"]), /no-such-program/);
    await assert.rejects(lab.waitUntil(() => false, { timeout: 0 }), /waited 0 s/);
    await (await lab.run(["sh", "-c", "echo hello"])).waitForOutput("hello");
    await lab.move("hotspot");
    const report = await lab.report();
    assert.match(report, / s  hotspot\n/);
    assert.match(report, /hello/);
  });
});

test("a lab that ends is an error with the reason", { skip }, async () => {
  const forever = (lab) => lab.waitUntil(() => false);
  await assert.rejects(withLab({ until: "1s" }, forever), /the time of --until is over/);
  const broken = withLab({ server: ["echo broken; exit 1"] }, forever);
  await assert.rejects(broken, (error) =>
    /broken/.test(error.message) && !(error instanceof LabUnavailable));
});

test("a command with another protocol is an error", async () => {
  const texts = [
    "exit 0", "echo nothing", "echo []", `echo '{"kind":"ready","v":2}'`, "exit 3",
    `echo '{"kind":"ready","v":1}'; exec <&-; sleep 1`,
  ];
  for (const text of texts) {
    await withCommand(text, async () => {
      await assert.rejects(withLab({}, (lab) => lab.observe()), LabError);
    });
  }
  const missing = { ...process.env, HANDOVER_COMMAND: "/nonexistent/handover" };
  const run = spawnSync(process.execPath, [
    "--input-type=module", "--eval",
    `import { withLab } from "handover"; await withLab({}, async () => {});`,
  ], { cwd: import.meta.dirname ?? new URL(".", import.meta.url).pathname, env: missing });
  assert.match(run.stderr.toString(), /LabError: the lab has ended: .*ENOENT/);
});

test("a machine without labs is a reason to skip", { skip }, async () => {
  const command = process.env.HANDOVER_COMMAND || "handover";
  const text = "exec unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_net_namespaces; "
    + `exec ${command} "$@"' - "$@"`;
  await withCommand(text, async () => {
    process.env.HANDOVER_REQUIRE_LAB = "";
    assert.match(await skipReason(), /^Cannot create a lab on this machine: /);
    process.env.HANDOVER_REQUIRE_LAB = "1";
    assert.equal(await skipReason(), false);
    await assert.rejects(withLab({}, async () => {}), LabUnavailable);
  });
});
