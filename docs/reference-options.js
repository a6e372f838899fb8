// A plugin of typedoc: the page of a function has its options, too, so that they are read in one place.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Renderer } from 'typedoc'

const parameter =
  /^## Parameters\n.*?\[`(\w+(?:Options|Props|Connection))`\]\(\.\.\/(interfaces\/\w+\.md)\)(?=.*^## Returns)/ms

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.renderer.on(Renderer.EVENT_END, ({ outputDirectory }) => {
    const files = readdirSync(outputDirectory, { recursive: true, encoding: 'utf8' })
    for (const file of files.filter((file) => /functions[/\\]\w+\.md$/.test(file)))
      addOptions(join(outputDirectory, file))
    for (const file of files.filter((file) => /index\.md$/.test(file))) clearTables(join(outputDirectory, file))
  })
}

/**
 * Leaves out a column without a single description, and the dashes of another.
 *
 * @param {string} file
 */
function clearTables(file) {
  const page = readFileSync(file, 'utf8')
  const isEmpty = !/^\|.*\| (?!-|Description)\S.* \|$/m.test(page)
  const last = isEmpty ? / \| (?:-+|Description) \|$/gm : / \| - \|$/gm
  writeFileSync(file, page.replace(last, isEmpty ? ' |' : ' | |'))
}

/** @param {string} file */
function addOptions(file) {
  const page = readFileSync(file, 'utf8')
  const [, name, path] = parameter.exec(page) ?? []
  if (!path) return
  const type = readFileSync(join(file, '../..', path), 'utf8')
  const start = type.indexOf('\n## Properties\n')
  if (start < 0) return
  const options = type.slice(start).replace('## Properties', name.endsWith('Props') ? '## Props' : '## Options')
  const moved = options.replace(/\]\((?!https?:|#|\/)(\.\.\/)?/g, (_, up) => (up ? '](../' : '](../interfaces/'))
  writeFileSync(file, `${page.trimEnd()}\n${moved}`)
}
