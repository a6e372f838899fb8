import { posix } from 'node:path'
import type { Project } from './project.js'
import type { SiteParts, StyleSource } from './styles.js'

const tree = 'const createTree'
const fileImport = /^import { readFileSync } .*\n/m
const cssRead = "readFileSync('src/site.css', 'utf8')"

/**
 * Returns the text of a styleguide with the styles, the theme, the title and a component of the site. Returns the text of
 * any other file as it is.
 *
 * @param path The path of the file.
 */
export function fillStyleguide(text: string, path: string, { typescript, parts, server }: Project): string {
  const { styles, title, component, theme } = parts
  const withTheme = theme.length > 0 ? text.replace(/\/\* --sw-bg.*/, () => theme.join('\n  ')) : text
  if (!text.includes(tree)) return withTheme
  const importPath = (target: string) => posix.relative(posix.dirname(path), target).replace(/\.\w+$/, '')
  const ownTitle = quote(title ? `${title}: styleguide` : 'Styleguide')
  const withTitle = withTheme.replace("title: 'Styleguide'", () => `title: ${ownTitle}`)
  const withComponent = component ? addComponent(withTitle, component, importPath(component.path)) : withTitle
  const isPagesRouter = text.includes('getServerSideProps')
  const filled = isPagesRouter
    ? readInPages(withComponent, styles)
    : readStyles(withComponent, styles, server === 'next' ? importPath : undefined)
  return typescript
    ? filled
    : filled.replace(/, type StyleguideTree|: (?:Promise<)?StyleguideTree>?|: typeof (?:readProps|route)/g, '')
}

function quote(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`
}

/** Adds the page of a component, and its import. */
function addComponent(text: string, component: NonNullable<SiteParts['component']>, path: string): string {
  const { name, isDefault, hasChildren } = component
  const element = hasChildren ? `<${name}>${name}</${name}>` : `<${name} />`
  const page = `componentPage({\n        title: '${name}',\n        variants: [{ title: 'Default', content: ${element}, source: '${element}' }],\n      }),`
  return text
    .replace(/(?=\n\n)/, `\nimport ${isDefault ? name : `{ ${name} }`} from '${path}'`)
    .replace('ColorPage, Style', 'ColorPage, componentPage, Style')
    .replace(/^ *{ title: 'Typography'.*\n/m, `$&      ${page}\n`)
}

/** The pages of the Pages Router get the text of a stylesheet, since files are read only by the server. */
function readInPages(text: string, styles: StyleSource | undefined): string {
  if (styles?.reader !== 'fromCssVariables' && styles?.reader !== 'fromTailwind4') return withoutStyles(text)
  const call = styles.prefix ? `fromCssVariables(text, { prefix: '${styles.prefix}' })` : 'fromCssVariables(text)'
  return text.replace('fromCssVariables(text)', call).replace(cssRead, `readFileSync(${quote(styles.path)}, 'utf8')`)
}

/**
 * Replaces the reader of the template.
 *
 * @param importPath Returns the path for an import, if a bundler resolves it.
 */
function readStyles(text: string, styles: StyleSource | undefined, importPath?: (path: string) => string): string {
  if (!styles) return withoutStyles(text)
  const { reader, prefix } = styles
  const path = quote(styles.path)
  const css = `readFileSync(${path}, 'utf8')`
  const calls = {
    fromCssVariables: `fromCssVariables(${css}${prefix ? `, { prefix: '${prefix}' }` : ''})`,
    fromTailwind4: `await fromTailwind4(${css}, { from: ${path}, own: true })`,
    fromDesignTokens: `fromDesignTokens(JSON.parse(${css}), { file: ${path} })`,
    fromTailwind3: 'fromTailwind3(config.default ?? config)',
  }
  const filled = text
    .replace(`fromCssVariables(${cssRead})`, calls[reader])
    .replace('fromCssVariables }', `${reader} }`)
  const tailwind = "$&import { fromTailwind4 } from 'sitewright/tailwind'\n"
  if (reader === 'fromTailwind4')
    return filled.replace(/, fromTailwind4(?= })|import { fromTailwind4 } .*\n/, '').replace(fileImport, tailwind)
  if (reader !== 'fromTailwind3') return filled
  if (importPath)
    return filled
      .replace(fileImport, `import config from '${importPath(styles.path)}'\n`)
      .replace('config.default ?? ', '')
  return filled
    .replace(fileImport, "import { createRequire } from 'node:module'\nimport { resolve } from 'node:path'\n")
    .replace(/^ +const { colors/m, `  const config = createRequire(resolve('package.json'))('./${styles.path}')\n$&`)
}

/** If the styles of a site were not found, the styleguide is empty, and says where to read them. */
function withoutStyles(text: string): string {
  const comment = `// No stylesheet with custom properties was found. Give the text of yours: ${cssRead}.`
  return text
    .replace(fileImport, '')
    .replace(/^ +const { colors/m, `  ${comment}\n$&`)
    .replace(new RegExp(`(?<!yours: )${cssRead.replace(/[().]/g, '\\$&')}`), "':root {}'")
}
