import { readFileSync } from 'node:fs'

/** Whether the memory of another process can be read here: on Linux. */
export function canReadMemory(): boolean {
  return readMemory(process.pid) !== undefined
}

/** Returns the resident memory of a process in bytes; `undefined` when it has ended or cannot be read. */
export function readMemory(pid: number): number | undefined {
  try {
    // Not `statm`, which counts in pages of a size that Node does not tell.
    const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}
