import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

async function bundle(names: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: {
      contents: `import { ${names} } from 'sitewright/localized-pages'; console.log(${names})`,
      resolveDir: fileURLToPath(new URL('../../', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    write: false,
    metafile: true,
  })
  const [output] = Object.values(metafile.outputs)
  const used = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
  return used.flatMap(([file]) => /dist\/core\/(.*)\.js$/.exec(file)?.[1] ?? []).sort()
}

it('a page that uses only the wrappers does not load the code of the routes', async () => {
  expect(await bundle('localizedPage, localizedMetadata')).toEqual([
    'localized-pages/localize',
    'option-error',
    'options',
  ])
})
