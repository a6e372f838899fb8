import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// The files that take longest in a full run, the longest first. In a fresh checkout, vitest knows only the sizes of
// files, and one of four lines that builds a site for a minute would begin last, with the other cores idle.
const longest = [
  'test/docs/first-steps/first-steps.integration.test.ts',
  'test/next-site/next16.browser.test.ts',
  'test/next15/next15.browser.test.ts',
  'test/cli/next.integration.test.ts',
  'test/docs/site.integration.test.ts',
  'test/browser/styleguide.browser.test.ts',
  'test/typescript/typescript.integration.test.ts',
  'test/examples/contract.integration.test.ts',
  'test/soak/examples.integration.test.ts',
  'test/examples/instances.integration.test.ts',
  'adapters/sharp/refine.integration.test.ts',
  'test/runtimes/runtimes.integration.test.ts',
  'test/cli/servers.integration.test.ts',
  'adapters/redis/failover-chaos.integration.test.ts',
  'test/security/slow-readers.integration.test.ts',
  'test/examples/next-instances.integration.test.ts',
  'test/browser/site.browser.test.ts',
  'test/browser/export.browser.test.ts',
  'test/next-prerender/next-prerender.integration.test.ts',
  'test/http-cache/suite.integration.test.ts',
  'react/styleguide/script/script.browser.test.ts',
  'adapters/sharp/transforms/original.integration.test.ts',
  'react/styleguide/pages/pages.browser.test.tsx',
  'adapters/cdn/cdn.integration.test.ts',
  'react/image/picture.browser.test.tsx',
  'test/docs/snippets.integration.test.tsx',
  'test/security/regular-expressions.integration.test.ts',
  'react/styleguide/shell/styleguide-page.browser.test.tsx',
  'adapters/node/idle-clients.integration.test.ts',
  'core/image/proxy.integration.test.ts',
  'react/image/placeholder.browser.test.ts',
  'adapters/redis/redis.integration.test.ts',
  'adapters/sharp/isolation.integration.test.ts',
  'react/styleguide/script/colors.browser.test.ts',
  'react/styleguide/script/search.browser.test.ts',
  'adapters/node/slow-service.integration.test.ts',
  'cli/init.integration.test.ts',
  'adapters/redis/chaos.integration.test.ts',
  'adapters/disk/tag-index.integration.test.ts',
  'react/spacing/spacing.browser.test.tsx',
  'test/examples/start.integration.test.ts',
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
