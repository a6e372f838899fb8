import { readdirSync, readFileSync } from 'node:fs'

/** Whether the usage of another process can be read here: on Linux. */
export function canReadUsage(): boolean {
  return readMemory(process.pid) !== undefined
}

/** Returns the resident memory of a process in bytes; `undefined` when it has ended or cannot be read. */
export function readMemory(pid: number): number | undefined {
  // Not `statm`, which counts in pages of a size that Node does not tell.
  const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(readProcess(pid, 'status'))?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}

/**
 * Returns the processor time that all threads of a process have taken, in milliseconds; `undefined` when it has ended or
 * cannot be read (https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, fields 14 and 15).
 */
export function readProcessorTime(pid: number): number | undefined {
  const stat = readProcess(pid, 'stat')
  // After the name of the program, which may contain anything: field 3 is the first.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  // In hundredths of a second: USER_HZ is 100 on every platform that Node supports.
  return user === undefined || system === undefined ? undefined : (user + system) * 10
}

/** Returns the threads of a process; where they cannot be read, only the process, which stands for its first thread. */
export function listThreads(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return [pid]
  }
}

function readProcess(pid: number, file: 'stat' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
