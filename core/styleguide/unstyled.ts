import { isDevelopment, warnOnce } from '../development.js'

/**
 * Creates the function that in development warns once when a page of the styleguide has neither a stylesheet nor a script,
 * which might bring one. Whether the stylesheet is the styleguide's, and there, only a browser knows: its script says so.
 */
export function createStylesheetCheck(): (response: Response) => void {
  const warn = warnOnce()
  let isDone = false
  const check = async (copy: Response) => {
    const html = await copy.text()
    if (!html.includes('class="sw-styleguide"')) return
    isDone = true
    if (/<style|<script|<link[^<>]*stylesheet/i.test(html)) return
    warn(
      () =>
        'Styleguide: expected a stylesheet in its pages, got none; write <link rel="stylesheet" href="/styleguide.css">, and serve sitewright/styleguide.css there',
    )
  }
  return (response) => {
    if (isDone || !isDevelopment() || response.status !== 200 || !response.body) return
    check(response.clone()).catch(() => {}) // whoever reads the response sees the error
  }
}
