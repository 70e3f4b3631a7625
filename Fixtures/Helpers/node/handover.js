/**
 * Changes the network under a program or a function in a test.
 *
 * A lab is an emulated device. It is a client of `handover lab serve`, which must be in PATH, or
 * named by the variable HANDOVER_COMMAND.
 */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const PROTOCOL = 1;
/** The time in milliseconds in which an answer must arrive: a server may need a minute. */
const ANSWER_TIMEOUT = 120_000;
/** The time in milliseconds between two observations. */
const PERIOD = 100;
/** The maximum length of kept error messages. */
const KEPT = 4_096;

/** The lab failed, or a request was not accepted. */
export class LabError extends Error {}

/** This machine cannot make a lab; the message is the reason. */
export class LabUnavailable extends LabError {}

/**
 * Returns why this machine cannot make labs, or false if it can: a value for `skip` of a test.
 *
 * If the variable HANDOVER_REQUIRE_LAB is 1, the value is false, so that the test fails.
 */
export async function skipReason() {
  try {
    await withLab({}, async () => {});
  } catch (error) {
    const isRequired = process.env.HANDOVER_REQUIRE_LAB === "1";
    if (error instanceof LabUnavailable && !isRequired) return error.message;
  }
  return false;
}

/**
 * Makes a lab for the time of a function, and returns what the function returns.
 *
 * If the function fails, a report of the lab is written to standard error.
 *
 * @param {{network?: string, server?: string[], condition?: string[], until?: string}} options
 *   The first network (`wifi`, `cellular` or `hotspot`), commands that start servers of yours,
 *   qualities of media such as `wifi:delay=80ms`, and the longest time of the lab, such as `2min`.
 * @param {(lab: Lab) => Promise<T>} body
 * @template T
 */
export async function withLab(options, body) {
  const lab = new Lab(options);
  try {
    await lab.begin();
    return await body(lab);
  } catch (error) {
    if (!(error instanceof LabUnavailable)) console.error(`Handover:\n${await lab.report()}`);
    throw error;
  } finally {
    await lab.end();
  }
}

/** A device whose network a test changes step by step. */
class Lab {
  #process;
  #lines;
  #errors = "";
  #hasEnded;
  #last;

  constructor({ network, server = [], condition = [], until }) {
    const values = Object.entries({ network: [network], server, condition, until: [until] });
    const options = values.flatMap(([name, list]) =>
      list.filter((value) => value !== undefined).flatMap((value) => [`--${name}`, value]));
    this.#process = spawn(
      process.env.HANDOVER_COMMAND || "handover", ["lab", "serve", ...options]);
    this.#hasEnded = new Promise((resolve) => {
      this.#process.on("close", resolve);
      this.#process.on("error", (error) => {
        this.#errors += error.message;
        resolve();
      });
    });
    // A lab that has ended reports the reason in its last line.
    this.#process.stdin.on("error", () => {});
    this.#process.stderr.setEncoding("utf8").on("data", (text) => {
      this.#errors = (this.#errors + text).slice(-KEPT);
    });
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  async begin() {
    const ready = await this.#answer();
    if (ready.kind !== "ready" || ready.v !== PROTOCOL) {
      throw new LabError(`the command has another protocol: ${JSON.stringify(ready)}`);
    }
  }

  /** Ends the lab with all its programs. */
  async end() {
    this.#process.stdin.end();
    const limit = setTimeout(() => this.#process.kill("SIGKILL"), ANSWER_TIMEOUT);
    await this.#hasEnded;
    clearTimeout(limit);
  }

  async #line() {
    let timer;
    const limit = new Promise((_, reject) => {
      const error = new LabError("the lab gave no answer");
      timer = setTimeout(() => reject(error), ANSWER_TIMEOUT);
    });
    try {
      return await Promise.race([this.#lines.next(), limit]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #answer() {
    const { value, done } = await this.#line();
    if (done) {
      await this.#hasEnded;
      throw new LabError(`the lab has ended: ${this.#errors}`);
    }
    let answer;
    try {
      answer = JSON.parse(value);
    } catch {
      throw new LabError(`the lab answered ${value}`);
    }
    if (answer.kind === "ended") {
      throw new (answer.reason === "no-lab" ? LabUnavailable : LabError)(answer.message);
    }
    if (answer.kind === "error") throw new LabError(`${answer.message} (${answer.hint})`);
    return answer;
  }

  async #request(request) {
    this.#process.stdin.write(`${JSON.stringify(request)}\n`);
    return await this.#answer();
  }

  /** Starts a program on the device; `environment` changes environment variables. */
  async run(command, environment = {}) {
    const { program } = await this.#request({ cmd: "start", program: command, environment });
    return new Program(this, program, command[0]);
  }

  /**
   * Starts a function on the device, in a process of its own.
   *
   * The process gets the text of the function, so the function can use only its arguments, globals
   * and its own imports. The arguments are passed as JSON.
   */
  async runFunction(body, ...values) {
    const text = `await (${body})(...${JSON.stringify(values)})`;
    return await this.run([process.execPath, "--input-type=module", "--eval", text]);
  }

  /** Ends a program with all its children. */
  async stop(number) {
    await this.#request({ cmd: "stop", program: number });
  }

  /** Changes the network, such as to `cellular`. The change is complete afterwards. */
  async move(to) {
    await this.#request({ cmd: "move", to });
  }

  /** Changes the quality of a medium, such as `wifi:delay=80ms,loss=1%`. */
  async quality(condition) {
    await this.#request({ cmd: "quality", condition });
  }

  /** Returns what happened until now, with the keys of the protocol. */
  async observe() {
    this.#last = await this.#request({ cmd: "observe" });
    return this.#last;
  }

  /** Waits until an observation meets a condition, and returns it; `timeout` is in seconds. */
  async waitUntil(condition, { timeout = 60, what = "the condition" } = {}) {
    const end = performance.now() + timeout * 1_000;
    for (;;) {
      const seen = await this.observe();
      if (condition(seen)) return seen;
      if (performance.now() > end) throw new LabError(`waited ${timeout} s for ${what}`);
      await sleep(PERIOD);
    }
  }

  /**
   * Waits until application data has arrived `count` times since now.
   *
   * A change has an effect only on a program that has received data.
   */
  async waitForData({ count = 3, timeout = 60 } = {}) {
    const enough = payloads(await this.observe()) + count;
    return await this.waitUntil(
      (seen) => payloads(seen) >= enough, { timeout, what: `data to arrive ${count} times` });
  }

  /**
   * Waits until the verdict on the last change is certain, and returns it with the outage.
   *
   * `within` is a time in seconds, counted from the moment at which a new connection would work.
   * The verdict is `recovers`, `late`, `no-data`, `ended`, `no-network` or `no-outage`.
   */
  async recovery({ within = 5 } = {}) {
    const end = performance.now() + (within + 60) * 1_000;
    for (;;) {
      const { outages } = await this.observe();
      const outage = outages.at(-1);
      const verdict = outage ? verdictOf(outage, within * 1_000_000) : "no-outage";
      if (verdict) return { verdict, ...outage };
      if (performance.now() > end) {
        throw new LabError(`the outage has no verdict: ${outage.doubt}`);
      }
      await sleep(PERIOD);
    }
  }

  /** Returns a text about the lab, for people. */
  async report() {
    try {
      await this.observe();
    } catch {
      // The lab has ended, and the last observation is the best one.
    }
    const seen = this.#last;
    if (!seen) return this.#errors;
    const seconds = (time) => `${(time / 1e6).toFixed(3)} s`;
    return [
      ...seen.moves.map(({ at_us, text }) => `${seconds(at_us).padStart(12)}  ${text}`),
      ...seen.connections.map((one) => {
        const end = one.closed_us === null ? "open" : `closed at ${seconds(one.closed_us)}`;
        return `${one.name}: opened at ${seconds(one.opened_us)}, ${end}, `
          + `data ${one.payloads} times`;
      }),
      ...seen.programs.map(({ program, output }) =>
        `program ${program}, the end of its output:\n${output.slice(-1_000)}`),
    ].join("\n");
  }
}

/** A program that a test started in a lab. */
class Program {
  #lab;
  #number;
  #name;

  constructor(lab, number, name) {
    [this.#lab, this.#number, this.#name] = [lab, number, name];
  }

  #of = (seen) => seen.programs[this.#number - 1];

  /** Returns the current state, with the keys of the protocol. */
  async state() {
    return this.#of(await this.#lab.observe());
  }

  /** Waits until the program has ended, and returns its state. */
  async wait(timeout = 60) {
    const options = { timeout, what: `${this.#name} to end` };
    return this.#of(await this.#lab.waitUntil((seen) => !this.#of(seen).running, options));
  }

  /** Waits until the program has written a text. */
  async waitForOutput(text, timeout = 60) {
    const options = { timeout, what: `${this.#name} to write ${JSON.stringify(text)}` };
    await this.#lab.waitUntil((seen) => this.#of(seen).output.includes(text), options);
  }

  /** Ends the program with all its children. */
  async stop() {
    await this.#lab.stop(this.#number);
  }
}

/** Returns the verdict on an outage, or null if it is not certain yet; `within` is in us. */
export function verdictOf(outage, within) {
  if (outage.recovers_us !== null) {
    return (outage.delay_us ?? outage.recovers_us) <= within ? "recovers" : "late";
  }
  if (outage.program_end !== undefined) return "ended";
  if (outage.watched_us <= within) return null;
  if (outage.doubt === "no-network") return "no-network";
  return outage.doubt === undefined ? "no-data" : null;
}

function payloads(seen) {
  return seen.connections.reduce((sum, { payloads }) => sum + payloads, 0);
}
