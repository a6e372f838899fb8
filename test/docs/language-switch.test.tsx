import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'

// A path that the compiler does not follow: the files of Next.js have import paths for a bundler.
const folder = '../../docs/snippets/app/[language]'
const { default: Layout } = await import(/* @vite-ignore */ `${folder}/layout.tsx`)
const { default: Switch } = await import(/* @vite-ignore */ `${folder}/@switch/[...slug]/page.tsx`)

// Next.js gives a slot the path of the folder, which is not translated.

it.each([
  ['en', ['about'], '/about', '/de/ueber-uns'],
  ['de', ['about'], '/about', '/de/ueber-uns'],
  ['de', undefined, '/', '/de'],
])('the language switch of a layout knows the page in %s at %j', async (language, slug, english, german) => {
  const languageSwitch = await Switch({ params: Promise.resolve({ language, ...(slug && { slug }) }) })
  const params = Promise.resolve({ language })
  const html = renderToStaticMarkup(await Layout({ children: 'a page', switch: languageSwitch, params }))
  expect(html).toContain(`<html lang="${language}"`)
  expect(html.match(/href="[^"]*"/g)).toEqual(expect.arrayContaining([`href="${english}"`, `href="${german}"`]))
})
