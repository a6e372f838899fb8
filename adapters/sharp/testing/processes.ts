import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** Returns all descendants of a process that have not ended. On Linux only. */
export const descendants = async (pid: number): Promise<number[]> => {
  const parents = await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(parentOf))
  const children = parents.filter(({ parent, ended }) => parent === pid && !ended).map((child) => child.pid)
  return [...children, ...(await Promise.all(children.map(descendants))).flat()].sort((a, b) => a - b)
}

const parentOf = async (name: string) => {
  const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '')
  // After the program's name in parentheses: state, parent.
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { pid: Number(name), parent: Number(parent), ended: state === 'Z' || state === undefined }
}

/** Returns the resident memory of a process in bytes; 0 when it has ended. On Linux only. */
export const readMemory = (pid: number): number => {
  try {
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
