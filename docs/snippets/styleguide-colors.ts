import { readFile } from 'node:fs/promises'
import { fromCssVariables, fromDesignTokens, fromTailwind3 } from 'sitewright/styleguide'
import { fromTailwind4 } from 'sitewright/tailwind'

const read = (file: string) => readFile(file, 'utf8')
// Your tailwind.config.js
const config = { theme: { extend: { colors: { brand: { 500: '#7d2c1b' } } } } }

export const ofCss = async (file: string) => fromCssVariables(await read(file)).colors
export const ofTailwind3 = fromTailwind3(config).colors
export const ofTailwind4 = async (file: string) =>
  (await fromTailwind4(await read(file), { from: file })).colors
export const ofTokens = async (file: string) =>
  fromDesignTokens(JSON.parse(await read(file)), { file }).colors
