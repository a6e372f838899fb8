import { setTimeout as sleep } from 'node:timers/promises'
import type { Driver, InputSource } from './driver.js'

/** Keys without a character, by the numbers that WebDriver gives them. */
export const keys = {
  tab: '\uE004',
  enter: '\uE007',
  shift: '\uE008',
  control: '\uE009',
  escape: '\uE00C',
  right: '\uE014',
  down: '\uE015',
} as const

export type Tab = ReturnType<typeof createTab>

/** Creates the actions of a reader in a browser's window. */
export function createTab(driver: Driver) {
  const evaluate = async <Args extends unknown[], Result>(
    inPage: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> => (await driver.call(String(inPage), args)) as Awaited<Result>

  /** Waits until a function in the page returns something true, and returns it. */
  const waitFor = async <Args extends unknown[], Result>(inPage: (...args: Args) => Result, ...args: Args) => {
    let result: Awaited<Result>
    const deadline = Date.now() + 10_000
    do {
      result = await evaluate(inPage, ...args)
      if (result) return result
      await sleep(50)
    } while (Date.now() < deadline)
    throw new Error(`still ${JSON.stringify(result)} after 10 seconds: ${inPage}`)
  }

  /** Presses keys one after the other, while others are held. */
  const press = (pressed: string, heldKeys = '') =>
    driver.perform([
      {
        type: 'key',
        id: 'keyboard',
        actions: [
          ...[...heldKeys].map((value) => ({ type: 'keyDown', value })),
          ...[...pressed].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))),
          ...[...heldKeys].map((value) => ({ type: 'keyUp', value })),
        ],
      },
    ])

  /** Clicks the middle of an element, while keys are held. */
  const click = async (selector: string, held = '') => {
    const [x, y] = await evaluate(middleOf, selector)
    const actions = [
      { type: 'pointerMove', x, y },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]
    const pauses = [...held].map(() => ({ type: 'pause' }))
    const keyboard: InputSource = {
      type: 'key',
      id: 'keyboard',
      actions: [
        ...[...held].map((value) => ({ type: 'keyDown', value })),
        ...actions.map(() => ({ type: 'pause' })),
        ...[...held].map((value) => ({ type: 'keyUp', value })),
      ],
    }
    await driver.perform([keyboard, { type: 'pointer', id: 'mouse', actions: [...pauses, ...actions, ...pauses] }])
  }

  const { navigate, resize, screenshot, close } = driver
  return { open: navigate, resize, screenshot, close, evaluate, waitFor, press, click }
}

function middleOf(selector: string): [number, number] {
  const element = document.querySelector(selector)
  if (!element) throw new Error(`no ${selector}`)
  element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { x, y, width, height } = element.getBoundingClientRect()
  return [Math.round(x + width / 2), Math.round(y + height / 2)]
}
