import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { readProps } from '../../examples/site/read-props.js'

it('the props in the styleguide are those of the components’ types', { timeout: 60_000 }, async () => {
  const written = await readFile(new URL('../../examples/site/src/props.json', import.meta.url), 'utf8')
  const props = readProps()
  expect(JSON.parse(written), 'run: node examples/site/read-props.js').toEqual(JSON.parse(JSON.stringify(props)))
  const [, , , layout, remark] = props.Figure ?? []
  expect([layout?.type, layout?.required, remark?.type, remark?.required]).toEqual([
    '"lead" | "inline"',
    true,
    'string',
    false,
  ])
})
