import { listedPages, type StyleguideNode } from './tree.js'

// Deeper than any navigation can show, and far from the end of the stack.
const maxDepth = 64
// A tree in which each page is twice below the next has 2^64 of them.
const maxPages = 100_000

const checked = new WeakSet<StyleguideNode>()

/**
 * Checks that a tree can be walked: no page is below itself, and it has at most 64 levels and 100,000 pages, each
 * counted as often as it is in the tree. Bare pages do not count. Each tree is checked once.
 *
 * @throws TypeError that names the page.
 */
export function checkTree(root: StyleguideNode): void {
  if (checked.has(root)) return
  let count = 0
  // The pages from the root to the current one, each with the pages below it that are still to come.
  const trail: { page: StyleguideNode; pending: StyleguideNode[] }[] = []
  const above = new Set<StyleguideNode>()
  const enter = (page: StyleguideNode) => {
    if (above.has(page)) throw treeError('a tree', `the page '${page.title}' below itself`)
    if (trail.length > maxDepth) throw treeError(`at most ${maxDepth} levels`, `more at the page '${page.title}'`)
    if (++count > maxPages) throw treeError(`at most ${maxPages} pages`, `more at the page '${page.title}'`)
    above.add(page)
    trail.push({ page, pending: [...listedPages(page)] })
  }
  enter(root)
  for (let last = trail.at(-1); last; last = trail.at(-1)) {
    const next = last.pending.pop()
    if (next) enter(next)
    else {
      above.delete(last.page)
      trail.pop()
    }
  }
  checked.add(root)
}

function treeError(expected: string, got: string): TypeError {
  return new TypeError(`styleguide: expected ${expected}, got ${got}`)
}
