import { readFile } from 'node:fs/promises'
import { fromCssVariables, fromDesignTokens, fromTailwind3 } from 'sitewright/styleguide'
import { fromTailwind4 } from 'sitewright/tailwind'

const read = (file: string) => readFile(file, 'utf8')
const config = { theme: { extend: { colors: { brand: { 500: '#7d2c1b' } } } } } // your tailwind.config.js

export const ofCss = async (file: string) => fromCssVariables(await read(file))
export const ofTailwind3 = fromTailwind3(config)
export const ofTailwind4 = async (file: string) =>
  fromTailwind4(await read(file), { from: file })
export const ofTokens = async (file: string) =>
  fromDesignTokens(JSON.parse(await read(file)), { file })
