import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { stylesheetScope } from '../../react/styleguide/styles/scope.js'

/** Builds the styleguide's stylesheet and script as in the package. */
export async function bundleStyleguide(): Promise<{ css: string; js: string }> {
  const [css, js] = await Promise.all(['styles/index.css', 'script/index.ts'].map(bundle))
  return { css: css ?? '', js: js ?? '' }
}

async function bundle(entry: string): Promise<string | undefined> {
  const built = await build({
    entryPoints: [fileURLToPath(new URL(`../../react/styleguide/${entry}`, import.meta.url))],
    bundle: true,
    ...stylesheetScope,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
  })
  return built.outputFiles[0]?.text
}

/** Returns the violations that axe-core finds in a page, as readable lines. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  })
}
