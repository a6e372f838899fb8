// The hashed URLs of the files that a page links to. Only for servers that are built with Vite.

import sans from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url'
import mono from '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?url'
import serif from '@fontsource-variable/newsreader/files/newsreader-latin-opsz-normal.woff2?url'
import italic from '@fontsource-variable/newsreader/files/newsreader-latin-wght-italic.woff2?url'
import styleguide from 'sitewright/styleguide.css?url'
import styleguideScript from 'sitewright/styleguide.js?url'
import icon from '../styles/icon.svg?url&no-inline'
import stylesheet from '../styles/site.css?url'
import siteStyleguide from '../styles/styleguide.css?url'
import type { SiteAssets } from './document.tsx'

/** Additional files of the styleguide's pages. */
export interface StyleguideAssets {
  styleguide: { stylesheets: readonly string[]; script: string; fonts: readonly string[] }
}

export const assets: SiteAssets & StyleguideAssets = {
  stylesheet,
  icon,
  fonts: [serif, sans, italic],
  styleguide: { stylesheets: [styleguide, siteStyleguide], script: styleguideScript, fonts: [sans, mono] },
}
