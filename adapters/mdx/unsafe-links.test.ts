import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { markdownPage } from './markdown-page.js'
import { removeUnsafeLinks } from './plugins.js'

const render = async (markdown: string, file = 'page.md') => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { content } = await markdownPage(markdown, file)
  return renderToStaticMarkup(createElement(content as never))
}

it.each([
  '[x](javascript:alert(1))',
  '[x](JavaScript:alert(1))',
  '[x](&#x6A;avascript:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](vbscript:msgbox)',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x][1]\n\n[1]: javascript:alert(1)',
  '<javascript:alert(1)>',
  '![x](javascript:alert(1))',
])('%s is dropped', async (markdown) => {
  for (const file of ['page.md', ...(markdown.startsWith('<') ? [] : ['page.mdx'])]) {
    expect(await render(markdown, file)).not.toMatch(/(?:href|src)="[^"]*(?:script|data|throw)/i)
  }
})

it.each([
  ['[x](/a)', 'href="/a"'],
  ['[x](https://site.test/?q=javascript:1)', 'href="https://site.test/?q=javascript:1"'],
  ['[x](mailto:a@site.test)', 'href="mailto:a@site.test"'],
  ['![x](data:image/png;base64,AAAA)', 'src="data:image/png;base64,AAAA"'],
])('%s stays', async (markdown, attribute) => expect(await render(markdown)).toContain(attribute))

it.each(['java\tscript:alert(1)', 'java\nscript:alert(1)', '\u0001 \r\njavascript:alert(1)'])(
  'white space that browsers ignore does not hide a scheme: %j',
  (href) => {
    const link = { type: 'element', tagName: 'a', properties: { href } }
    removeUnsafeLinks()({ type: 'root', children: [link] })
    expect(link.properties).toEqual({})
  },
)
