import { confirm, isCancel, select } from '@clack/prompts'
import { InitError } from './init-error.js'
import { type Server, serverTitles } from './project/server.js'

/** The user has pressed Ctrl-C or Escape. */
export class CancelledError extends Error {
  override name = 'CancelledError'
}

/** Whether there is somebody to ask. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true
}

/** @throws CancelledError on Ctrl-C or Escape; InitError where there is no terminal. */
export async function askToWrite(message: string, initialValue: boolean): Promise<boolean> {
  if (!canAsk()) throw new InitError('There is no terminal to ask in: repeat with --yes to write, or --dry-run.')
  return answerOf(await confirm({ message, initialValue, withGuide: false }))
}

/** @throws CancelledError on Ctrl-C or Escape. */
export async function askForServer(servers: readonly Server[]): Promise<Server> {
  const options = servers.map((value) => ({ value, label: serverTitles[value] }))
  return answerOf(await select<Server>({ message: 'Which server is it?', options, withGuide: false }))
}

function answerOf<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (isCancel(answer)) throw new CancelledError()
  return answer as Exclude<Answer, symbol>
}
