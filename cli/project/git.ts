import { spawnSync } from 'node:child_process'

export type GitState = 'clean' | 'dirty' | 'none'

/** Whether git can undo what is written: `none` without a repository or without git. */
export function gitState(folder: string): GitState {
  const { status, stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) return 'none'
  return stdout.trim() === '' ? 'clean' : 'dirty'
}

/** Whether git ignores a file of this name; `undefined` without a repository or without git. */
export function isIgnored(folder: string, path: string): boolean | undefined {
  const { status } = spawnSync('git', ['check-ignore', '--quiet', '--no-index', path], { cwd: folder })
  return status === 0 || status === 1 ? status === 0 : undefined
}
