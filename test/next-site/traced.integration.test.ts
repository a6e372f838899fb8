import { createRequire } from 'node:module'
import { relative } from 'node:path'
import { expect, it } from 'vitest'

const require = createRequire(import.meta.url)
// The copy in Next.js, which chooses by it what `output: 'standalone'` copies.
const { nodeFileTrace } = require('next/dist/compiled/@vercel/nft') as {
  nodeFileTrace(files: string[], options: { base: string }): Promise<{ fileList: Set<string> }>
}
const root = new URL('../../', import.meta.url).pathname

it("the image service's processes find their program where only traced files are", async () => {
  const entry = require.resolve('sitewright/sharp')
  const worker = relative(root, require.resolve('sitewright/sharp/worker'))
  const { fileList } = await nodeFileTrace([entry], { base: root })
  expect(fileList).toContain(worker)
  // With all that it imports.
  const ofWorker = await nodeFileTrace([require.resolve('sitewright/sharp/worker')], { base: root })
  expect([...ofWorker.fileList].filter((file) => !fileList.has(file))).toEqual([])
}, 120_000)
