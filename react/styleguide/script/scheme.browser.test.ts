import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { backgroundOf, night, paper, schemeOf, serveStyleguide } from '../testing/scripted-site.js'

const { open, urlOf } = serveStyleguide()

describe('the color scheme', () => {
  it('the color scheme is the choice of the system or of the user, for the colors of the site, too', async () => {
    const page = await open('', { colorScheme: 'dark' })
    expect([await schemeOf(page), await backgroundOf(page)]).toEqual(['light dark', night])
    await page.focus('#sw-system')
    await page.keyboard.press('ArrowRight')
    expect([await schemeOf(page), await backgroundOf(page)]).toEqual(['light', paper])
    await page.keyboard.press('ArrowRight')
    expect([await schemeOf(page), await backgroundOf(page)]).toEqual(['dark', night])
  })

  it('the background beside scrollbars is that of the styleguide, not of the site, and follows the scheme', async () => {
    const page = await open('', { colorScheme: 'dark' })
    const backgrounds = () =>
      page.evaluate(() =>
        ['html', '.sw-styleguide'].map(
          (part) => getComputedStyle(document.querySelector(part) as Element).backgroundColor,
        ),
      )
    expect(await backgrounds()).toEqual(['rgb(19, 21, 25)', 'rgb(19, 21, 25)'])
    await page.check('#sw-light', { force: true })
    expect(await backgrounds()).toEqual(['rgb(255, 255, 255)', 'rgb(255, 255, 255)'])
  })

  it('the color scheme is applied before the body is parsed, and System forgets the choice', async () => {
    const page = await open('')
    await page.check('#sw-dark', { force: true })
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.body) return
        document.title = getComputedStyle(document.documentElement).colorScheme
        observer.disconnect()
      }).observe(document, { childList: true, subtree: true })
    })
    await page.goto(urlOf('foundations/colors'))
    expect(await page.title()).toBe('dark')
    expect([await page.isChecked('#sw-dark'), await backgroundOf(page)]).toEqual([true, night])
    await page.check('#sw-system', { force: true })
    expect(await schemeOf(page)).toBe('light dark')
    await page.reload()
    expect([await page.isChecked('#sw-system'), await schemeOf(page)]).toEqual([true, 'light dark'])
  })

  it('the color scheme follows the choice in another tab', async () => {
    const page = await open('')
    const secondTab = await page.context().newPage()
    await secondTab.goto(urlOf(''))
    await secondTab.check('#sw-dark', { force: true })
    await page.waitForFunction(() => getComputedStyle(document.documentElement).colorScheme === 'dark')
    expect(await page.isChecked('#sw-dark')).toBe(true)
  })

  it('the color scheme applies to the current page if storage is denied', async () => {
    const deny = (page: Page) =>
      page.addInitScript(() => {
        Object.defineProperty(window, 'localStorage', {
          get: () => {
            throw new DOMException('denied')
          },
        })
      })
    const page = await open('', {}, deny)
    await page.check('#sw-dark', { force: true })
    expect(await backgroundOf(page)).toBe(night)
  })
})
