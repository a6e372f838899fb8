import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// What takes longest, by its time in a run of all: the longest first. In a fresh checkout, vitest knows only the sizes of files,
// and one of four lines that builds a site for a minute would begin last, with the other cores idle.
const longest = [
  'test/next15/next15.browser.test.ts',
  'react/styleguide/pages/pages.browser.test.tsx',
  'test/next-site/next16.browser.test.ts',
  'test/docs/first-steps/first-steps.integration.test.ts',
  'test/docs/site.integration.test.ts',
  'test/examples/contract.integration.test.ts',
  'adapters/sharp/memory.integration.test.ts',
  'test/cli/next.integration.test.ts',
  'test/examples/instances.integration.test.ts',
  'test/browser/styleguide.browser.test.ts',
  'test/typescript/typescript.integration.test.ts',
  'react/styleguide/script/script.browser.test.ts',
  'test/examples/next-instances.integration.test.ts',
  'react/styleguide/shell/styleguide-page.browser.test.tsx',
  'test/soak/examples.integration.test.ts',
  'adapters/redis/failover-chaos.integration.test.ts',
  'test/browser/site.browser.test.ts',
  'react/styleguide/script/colors.browser.test.ts',
  'adapters/sharp/transforms/original.integration.test.ts',
  'test/http-cache/suite.integration.test.ts',
  'adapters/sharp/outages.integration.test.ts',
  'test/security/slow-readers.integration.test.ts',
  'react/styleguide/script/search.browser.test.ts',
  'test/security/regular-expressions.integration.test.ts',
  'adapters/cdn/cdn.integration.test.ts',
  'core/image/proxy.integration.test.ts',
  'react/styleguide/script/scheme.browser.test.ts',
  'test/cli/servers.integration.test.ts',
  'test/next-prerender/next-prerender.integration.test.ts',
  'adapters/node/idle-clients.integration.test.ts',
  'test/docs/snippets.integration.test.tsx',
  'adapters/sharp/isolation.integration.test.ts',
  'adapters/sharp/isolation/transform-process.integration.test.ts',
  'adapters/redis/redis.integration.test.ts',
  'adapters/node/slow-service.integration.test.ts',
  'test/runtimes/runtimes.integration.test.ts',
  'adapters/redis/chaos.integration.test.ts',
  'adapters/redis/servers.integration.test.ts',
]

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
