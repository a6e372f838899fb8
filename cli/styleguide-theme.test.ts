import { expect, it } from 'vitest'
import { findTheme } from './styleguide-theme.js'

it.each<[string, string, string[]]>([
  [
    'create-next-app: a media query, and a font of next/font',
    `:root { --background: #fff; --foreground: #171717 }
    @theme inline { --color-background: var(--background); --font-sans: var(--font-geist-sans) }
    @media (prefers-color-scheme: dark) { :root { --background: #0a0a0a; --foreground: #ededed } }`,
    [
      '--sw-bg: light-dark(#fff, #0a0a0a); /* --color-background */',
      '--sw-text: light-dark(#171717, #ededed); /* --foreground */',
      '--sw-accent: light-dark(#171717, #ededed); /* --foreground */',
      '--sw-sans: var(--font-geist-sans, system-ui); /* --font-sans */',
    ],
  ],
  [
    'shadcn/ui: bare channels, and an accent that is a background',
    `:root { --background: 0 0% 100%; --foreground: 222 84% 5%; --accent: 210 40% 96%; --primary: 222 47% 11% }
    .dark { --background: 222 84% 5%; --foreground: 210 40% 98%; --accent: 217 33% 18%; --primary: 210 40% 98% }`,
    [
      '--sw-bg: light-dark(hsl(0 0% 100%), hsl(222 84% 5%)); /* --background */',
      '--sw-text: light-dark(hsl(222 84% 5%), hsl(210 40% 98%)); /* --foreground */',
      '--sw-accent: light-dark(hsl(222 47% 11%), hsl(210 40% 98%)); /* --primary */',
    ],
  ],
  [
    'a site that is dark alone',
    ":root { --bg-color: #111; --text-color: #eee; --primary-color: #fc6; --sans-font: 'Fraunces',\n serif }",
    [
      '--sw-bg: light-dark(#eee, #111); /* --bg-color */',
      '--sw-text: light-dark(#111, #eee); /* --text-color */',
      '--sw-accent: light-dark(#111, #fc6); /* --primary-color */',
      "--sw-sans: 'Fraunces', serif; /* --sans-font */",
    ],
  ],
  [
    'light-dark()',
    ':root { --color-paper: light-dark(#fff, #000); --color-ink: light-dark(#111, #eee); --color-link: blue }',
    [
      '--sw-bg: light-dark(#fff, #000); /* --color-paper */',
      '--sw-text: light-dark(#111, #eee); /* --color-ink */',
      '--sw-accent: light-dark(blue, #eee); /* --color-link */',
    ],
  ],
  [
    'Bootstrap',
    `:root { --bs-body-bg: #fff; --bs-body-color: #212529; --bs-primary: #0d6efd; --bs-body-font-family: Inter, sans-serif }
    [data-bs-theme='dark'] { --bs-body-bg: #212529; --bs-body-color: #dee2e6 }`,
    [
      '--sw-bg: light-dark(#fff, #212529); /* --bs-body-bg */',
      '--sw-text: light-dark(#212529, #dee2e6); /* --bs-body-color */',
      '--sw-accent: light-dark(#0d6efd, #dee2e6); /* --bs-primary */',
      '--sw-sans: Inter, sans-serif; /* --bs-body-font-family */',
    ],
  ],
  ['a text that cannot be read', ':root { --bg: #fff; --text: #ddd }', []],
  ['a size with the name of a color', ':root { --bg: #fff; --text: 1rem }', []],
  ['a font that could end the text of a module', ':root { --font-sans: `x`, serif; --font-body: "\\27", serif }', []],
  ['no custom properties', 'a { color: red }', []],
])('the shell of the styleguide takes the colors and fonts of %s', (_, css, theme) => {
  expect(findTheme(css)).toEqual(theme)
})
