import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

const tempFileName = /^(?:[0-9a-f]{64}\.entry|tags\.log)\.(?<host>[\w-]+)\.(?<pid>\d+)\.(?<instance>[\w-]+)\.tmp$/
const maxWriteDuration = 60 * 60 * 1000

const host = hostname().replace(/[^\w-]/g, '-') || 'host'
// Tells this process from an earlier one with the same pid, as in a restarted container.
const instance = randomUUID()

/** Returns a unique name for a file that is still being written, which names the process that writes it. */
export function createTempFileName(name: string): string {
  return `${name}.${host}.${process.pid}.${instance}-${randomUUID()}.tmp`
}

/** Whether a name is one of {@link createTempFileName}. */
export function isTempFile(name: string): boolean {
  return tempFileName.test(name)
}

/**
 * Whether the process that wrote a temporary file has certainly exited, or the file is older than any write takes.
 * Nothing is known about processes of another machine.
 *
 * @param modifiedAt Milliseconds since 1970.
 */
export function isAbandoned(name: string, modifiedAt: number): boolean {
  if (Date.now() - modifiedAt > maxWriteDuration) return true
  const writer = tempFileName.exec(name)?.groups
  if (writer?.host !== host) return false
  const pid = Number(writer.pid)
  if (pid === process.pid) return !writer.instance?.startsWith(instance)
  try {
    process.kill(pid, 0) // signal 0 only tests whether the process exists
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
