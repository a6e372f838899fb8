// Writes src/props.json: the props of the components as their TypeScript types declare them, for the styleguide.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import docgen from 'react-docgen-typescript'

const toPath = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))

/** Reads the props of the components in src/parts, by component. */
export function readProps() {
  const files = ['card', 'figure', 'masthead', 'footer', 'language-switch'].map((name) =>
    toPath(`src/parts/${name}.tsx`),
  )
  const parser = docgen.withCustomConfig(toPath('tsconfig.json'), {
    shouldExtractLiteralValuesFromEnum: true,
    shouldRemoveUndefinedFromOptional: true,
    savePropValueAsString: true,
  })
  const entries = parser.parse(files).map(({ displayName, props }) => [displayName, Object.values(props).map(toProp)])
  return Object.fromEntries(entries)
}

/** @param {import('react-docgen-typescript').PropItem} prop */
function toProp({ name, type, defaultValue, description, required }) {
  return { name, type: type.raw ?? type.name, defaultValue: defaultValue?.value, description, required }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(toPath('src/props.json'), `${JSON.stringify(readProps(), null, 2)}\n`)
}
