import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

// The compiler explains a union by the member that it takes for the closest, which depends on their order and kind.

const rows = [
  ['width={640}', "Property 'ratio' is missing"],
  ['ratio="16:9"', "Property 'width' is missing"],
  ['layout="full-width"', 'missing the following properties'],
] as const

it('the type error of an <Image> without a size names what is missing, and no layout', async () => {
  const folder = await mkdtemp(join(import.meta.dirname, 'testing/types-'))
  try {
    const file = join(folder, 'page.tsx')
    const images = rows.map(([props]) => `<Image loader={loader} src="/media/a.jpg" alt="" ${props} />\n`)
    const head = "import { Image, type ImageProps } from '../../index.js'\ndeclare const loader: ImageProps['loader']\n"
    await writeFile(file, `${head}export const page = [${images.join(', ')}]\n`)
    const { JsxEmit, ModuleKind, ScriptTarget } = ts
    const program = ts.createProgram([file], {
      ...{ strict: true, noEmit: true, skipLibCheck: true, types: ['node'] },
      ...{ jsx: JsxEmit.ReactJSX, module: ModuleKind.NodeNext, target: ScriptTarget.ES2023 },
    })
    const errors = program.getSemanticDiagnostics(program.getSourceFile(file))
    const messages = errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
    for (const [index, [, text]] of rows.entries()) {
      expect(messages[index]).toContain(text)
      expect(messages[index]).toContain("'RatioInPlaceOfHeight'")
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
