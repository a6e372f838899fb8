// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import * as React from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSpacing, Spacing } from './index.js'

const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
afterEach(() => {
  expect(errors).not.toHaveBeenCalled()
  warnings.mockClear()
  cleanup()
})

describe('Spacing', () => {
  it.each<[string, React.ReactElement, string]>([
    ['a div', <Spacing key="">text</Spacing>, '<div>text</div>'],
    [
      'another element with attributes',
      <Spacing key="" as="section" marginXs="base" id="a" aria-label="News" data-x={1} style={{ color: 'red' }} />,
      '<section id="a" aria-label="News" data-x="1" style="color:red" class="sw-base-xs-mt sw-base-xs-mb"></section>',
    ],
    [
      'a link with a className',
      <Spacing key="" as="a" href="/a" className="button" paddingMd="topLarge" />,
      '<a href="/a" class="button sw-large-md-pt"></a>',
    ],
    [
      'an element without content',
      <Spacing key="" as="hr" marginXl="small" />,
      '<hr class="sw-small-xl-mt sw-small-xl-mb"/>',
    ],
    [
      'a component, which gets the className and its props',
      <Spacing key="" as={Card} title="News" marginXs="bottomSmall" />,
      '<article class="sw-small-xs-mb"><h2>News</h2></article>',
    ],
    [
      'several breakpoints',
      <Spacing key="" marginXs="large" marginMd="topSmall" />,
      '<div class="sw-large-xs-mt sw-large-xs-mb sw-small-md-mt"></div>',
    ],
    [
      'a nested Spacing',
      <Spacing key="" marginXs="topBase">
        <Spacing as="p" marginXs="topSmall" />
      </Spacing>,
      '<div class="sw-base-xs-mt"><p class="sw-small-xs-mt"></p></div>',
    ],
  ])('Spacing renders %s', (_, element, html) => expect(renderToStaticMarkup(element)).toBe(html))

  it.each([['small'], { size: 'small' }, 'huge', 7, '__proto__', null])(
    'Spacing renders no class for an invalid size: %j',
    (size) => {
      const props = { marginXs: size, paddingXs: 'topSmall' } as object
      expect(renderToStaticMarkup(<Spacing {...props} />)).toBe('<div class="sw-small-xs-pt"></div>')
    },
  )

  it('the element gets the ref', () => {
    const ref = React.createRef<HTMLElement>()
    render(<Spacing as="section" aria-label="News" ref={ref} marginXs="base" />)
    expect(ref.current).toBe(screen.getByRole('region', { name: 'News' }))

    const refs: unknown[] = []
    const Element = React.forwardRef<HTMLElement>((_, forwarded) => {
      refs.push(forwarded)
      return null
    })
    renderToStaticMarkup(<Spacing as={Element} ref={ref} marginXs="base" />)
    expect(refs).toEqual([ref])
  })

  it('the element gets the event handlers, and stays when a spacing prop changes', async () => {
    const onClick = vi.fn()
    const button = (marginXs: 'base' | 'large') => (
      <Spacing as="button" onClick={onClick} marginXs={marginXs}>
        Subscribe
      </Spacing>
    )
    const { rerender } = render(button('base'))
    const element = screen.getByRole('button', { name: 'Subscribe' })
    await userEvent.click(element)
    rerender(button('large'))
    expect(screen.getByRole('button')).toBe(element)
    expect(element.className).toBe('sw-large-xs-mt sw-large-xs-mb')
    await userEvent.keyboard('{Enter}')
    expect(onClick).toHaveBeenCalledTimes(2)
  })

  it('Spacing needs no client JavaScript: it has no state and no effect', () => {
    for (const hook of ['useState', 'useEffect', 'useLayoutEffect', 'useInsertionEffect', 'useId'] as const) {
      expect(String((Spacing as unknown as { render: unknown }).render)).not.toContain(hook)
    }
  })
})

it('createSpacing supports other breakpoints', () => {
  const CustomSpacing = createSpacing({ breakpoints: { phone: '0' }, sizes: { tight: '1rem' } })
  expect(renderToStaticMarkup(<CustomSpacing as="main" marginPhone="topTight" />)).toBe(
    '<main class="sw-tight-phone-mt"></main>',
  )
  // @ts-expect-error CustomSpacing does not have the default breakpoints
  const unknownBreakpoint = <CustomSpacing marginXs="tight" />
  expect(unknownBreakpoint).toBeDefined()
})

it('unknown sizes, breakpoints, attributes and elements do not compile', () => {
  const mistakes = () => [
    // @ts-expect-error an unknown size
    <Spacing key="" marginXs="huge" />,
    // @ts-expect-error an unknown breakpoint
    <Spacing key="" marginHuge="small" />,
    // @ts-expect-error a size is a string
    <Spacing key="" marginXs={1} />,
    // @ts-expect-error a div has no href
    <Spacing key="" href="/" />,
    // @ts-expect-error a section has no href
    <Spacing key="" as="section" href="/" />,
    // @ts-expect-error no such element
    <Spacing key="" as="sektion" />,
    // @ts-expect-error the component requires a title
    <Spacing key="" as={Card} />,
    // @ts-expect-error the ref of another element
    <Spacing key="" as="section" ref={React.createRef<SVGElement>()} />,
  ]
  expect(mistakes).toBeTypeOf('function')
  const validElements = [
    <Spacing key="1" as="a" href="/" ref={React.createRef<HTMLAnchorElement>()} />,
    <Spacing key="2" onClick={(event) => event.currentTarget.align} />,
    <Spacing key="3" as="button" onClick={(event) => event.currentTarget.disabled} />,
  ]
  expect(validElements.length).toBe(3)
})

function Card({ title, className }: { title: string; className?: string | undefined }) {
  return (
    <article className={className}>
      <h2>{title}</h2>
    </article>
  )
}
