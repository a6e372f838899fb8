import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// The files that take longest in a full run, the longest first. In a fresh checkout, vitest knows only the sizes of
// files, and a file of four lines that builds a site for a minute would begin last, with the other cores idle.
const computing = [
  'test/docs/first-steps/first-steps.integration.test.ts',
  'test/next-site/next16.browser.test.ts',
  'test/next15/next15.browser.test.ts',
  'test/browser/styleguide.browser.test.ts',
  'test/browser/development.browser.test.ts',
  'test/docs/site.integration.test.ts',
  'test/examples/contract.integration.test.ts',
  'test/browser/site.browser.test.ts',
  'test/cli/next.integration.test.ts',
  'test/browser/export.browser.test.ts',
  'react/styleguide/pages/pages.browser.test.tsx',
  'react/image/picture.browser.test.tsx',
  'test/typescript/typescript.integration.test.ts',
  'test/next-prerender/next-prerender.integration.test.ts',
  'react/styleguide/shell/styleguide-page.browser.test.tsx',
  'test/soak/examples.integration.test.ts',
  'react/image/placeholder.browser.test.ts',
  'test/examples/next-instances.integration.test.ts',
  'react/styleguide/script/script.browser.test.ts',
  'react/styleguide/script/search.browser.test.ts',
  'react/styleguide/script/colors.browser.test.ts',
  'adapters/sharp/transforms/original.integration.test.ts',
  'test/docs/snippets.integration.test.tsx',
  'test/cli/servers.integration.test.ts',
  'test/security/regular-expressions.integration.test.ts',
  'react/spacing/spacing.browser.test.tsx',
  'test/examples/start.integration.test.ts',
  'cli/init.integration.test.ts',
]
/** Files that mostly wait, for time limits or other processes. */
const waiting = [
  'test/examples/instances.integration.test.ts',
  'adapters/redis/failover-chaos.integration.test.ts',
  'adapters/sharp/refine.integration.test.ts',
  'test/security/slow-readers.integration.test.ts',
  'test/runtimes/runtimes.integration.test.ts',
  'adapters/cdn/cdn.integration.test.ts',
  'core/image/proxy.integration.test.ts',
  'test/http-cache/suite.integration.test.ts',
  'adapters/sharp/isolation.integration.test.ts',
  'adapters/redis/redis.integration.test.ts',
  'adapters/redis/chaos.integration.test.ts',
  'adapters/node/idle-clients.integration.test.ts',
  'adapters/node/slow-service.integration.test.ts',
  'adapters/disk/tag-index.integration.test.ts',
  'test/docs/commands.integration.test.ts',
  'adapters/redis/failover.integration.test.ts',
]
// A file that waits follows each two that compute, so that some worker computes at any time.
const order = computing.flatMap((file, index) => [
  file,
  ...(index % 2 ? waiting.slice((index - 1) / 2, (index + 1) / 2) : []),
])
const longest = [...new Set([...order, ...waiting])]

/** Begins with the files that take longest, whatever their project; the others follow in vitest's own order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config
    const rankOf = (file: TestSpecification) => {
      const place = longest.indexOf(relative(root, file.moduleId).replaceAll('\\', '/'))
      return place < 0 ? longest.length : place
    }
    const groupOf = (file: TestSpecification) => file.project.config.sequence.groupOrder
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => groupOf(a) - groupOf(b) || rankOf(a) - rankOf(b))
  }
}
