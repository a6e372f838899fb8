// @vitest-environment happy-dom
import { cleanup, render as renderInDom, screen } from '@testing-library/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it } from 'vitest'
import { createImageLoader, type ImageDescription } from '../../core/image/index.js'
import { Image, type ImageProps } from './image.js'

const loader = createImageLoader({ sources: ['/media/'] })
const cat = { loader, src: '/media/cat.jpg', alt: 'A cat, running', width: 320, height: 160 }
const path = '/_image/L21lZGlhL2NhdC5qcGc'
const render = (props: Partial<ImageProps> = {}) =>
  renderToStaticMarkup(<Image {...({ ...cat, ...props } as ImageProps)} />)

afterEach(cleanup)

describe('<Image>', () => {
  it('the role is img with a text alternative, and presentation without', () => {
    renderInDom(<Image {...cat} />)
    const image = screen.getByRole<HTMLImageElement>('img', { name: 'A cat, running' })
    expect([image.width, image.height, image.loading]).toEqual([320, 160, 'lazy'])
    cleanup()
    renderInDom(<Image {...cat} alt="" />)
    expect(screen.queryByRole('img')).toBeNull()
    expect(screen.getByRole('presentation')).toBeDefined()
  })

  it('an image without height and ratio is an error that names the height', () => {
    expect(() => render({ height: undefined as never })).toThrow(
      'height: expected the height at that width, in CSS pixels, or a ratio, got undefined; src is /media/cat.jpg',
    )
  })

  it('Image renders a lazy <img> with reserved space', () => {
    expect(render()).toBe(
      `<img alt="A cat, running" decoding="async" loading="lazy" width="320" height="160" ` +
        `sizes="auto, (min-width: 320px) 320px, 100vw" ` +
        `srcSet="${path}?width=384 384w, ${path}?width=640 640w" src="${path}?width=384"/>`,
    )
  })

  it('an image with priority is preloaded with the same srcset, is not lazy, and has no auto sizes', () => {
    const html = render({ priority: true })
    expect(html).toMatch(/<link rel="preload" as="image"[^>]* imageSrcSet="[^"]+384w, [^"]+640w"/)
    expect(html).toContain('fetchPriority="high"')
    expect(html).toContain('sizes="(min-width: 320px) 320px, 100vw"')
    expect(html).not.toContain('lazy')
  })

  it('the <img> gets every attribute except the options of Image', () => {
    const html = render({
      className: 'lead',
      id: 'a',
      layout: 'fixed',
      originalWidth: 400,
      widths: [384, 640],
      sizes: '20px',
    })
    expect(html).toContain('class="lead" id="a"')
    expect(html).toContain(`sizes="auto, 20px" srcSet="${path}?width=384 384w, ${path}?width=640 640w"`)
    expect(html).not.toMatch(/loader|layout|originalWidth|widths=/)
  })

  it.each<[string, Partial<ImageProps>, string, string]>([
    ['of a ratio', { ratio: '16:9' }, 'width="320" height="180"', '&amp;ratio=16:9'],
    ['of a ratio without a height', { ratio: '1:1', height: undefined }, 'width="320" height="320"', '&amp;ratio=1:1'],
    [
      'of a ratio with a focus',
      { ratio: '1:1', focus: { x: 0.32, y: 0.7, width: 0.2, height: 0.1 } },
      'width="320" height="320"',
      '&amp;ratio=1:1&amp;focus=3,7',
    ],
    ['with a focus but without a ratio', { focus: 'top' }, 'width="320" height="160"', ''],
  ])('an image %s has the height and the URLs of its shape', (_, props, size, query) => {
    const html = render(props)
    expect(html).toContain(` ${size} `)
    expect(html).toContain(`srcSet="${path}?width=384${query} 384w, ${path}?width=640${query} 640w"`)
    expect(html).not.toMatch(/ (?:ratio|focus)=/)
  })

  it('an image with the layout full-width and a ratio needs neither width nor height', () => {
    const html = renderToStaticMarkup(
      <Image loader={loader} src="/media/cat.jpg" alt="" layout="full-width" ratio="16:9" />,
    )
    expect(html).toContain('width="1080" height="608"')
    expect(html).toContain(`src="${path}?width=1080&amp;ratio=16:9"`)
  })

  it('Image throws for an invalid ratio', () => {
    expect(() => render({ ratio: '16/9' })).toThrow(
      "ratio: expected whole numbers of width and height, such as ['16:9', '1:1'], got '16/9'",
    )
  })

  it('the properties of a description may be props: the placeholder is rendered, and other details are not', () => {
    const description: ImageDescription = {
      src: '/media/cat.jpg',
      width: 320,
      height: 160,
      originalWidth: 320,
      type: 'image/jpeg',
      color: '#8a7f6c',
      placeholder: 'ZAbBc',
      isAnimated: false,
    }
    expect(renderToStaticMarkup(<Image loader={loader} {...description} alt="" />)).toBe(
      `<img alt="" decoding="async" loading="lazy" data-lq="ZAbBc" width="320" height="160" ` +
        `sizes="auto, (min-width: 320px) 320px, 100vw" srcSet="${path}?width=384 384w" src="${path}?width=384"/>`,
    )
    const withoutPlaceholder = { ...description, placeholder: undefined }
    expect(renderToStaticMarkup(<Image loader={loader} {...withoutPlaceholder} alt="" />)).not.toContain('data-lq')
  })

  it('a source under no prefix is used unchanged', () => {
    expect(render({ src: '/logo.svg' })).toBe(
      '<img alt="A cat, running" decoding="async" loading="lazy" width="320" height="160" src="/logo.svg"/>',
    )
  })

  it('a hostile source is escaped', () => {
    expect(render({ src: '"><script>alert(1)</script>' })).not.toContain('<script>')
  })

  it('an image without a text alternative, a size or a loader does not compile', () => {
    // @ts-expect-error alt is missing
    const withoutAlt = <Image loader={loader} src="/media/a.jpg" width={1} height={1} />
    // @ts-expect-error height is missing
    const withoutHeight = <Image loader={loader} src="/media/a.jpg" alt="" width={1} />
    // @ts-expect-error the loader is missing
    const withoutLoader = <Image src="/media/a.jpg" alt="" width={1} height={1} />
    // @ts-expect-error there is no such layout
    const wrongLayout = <Image {...cat} layout="fill" />
    // @ts-expect-error a ratio without a width gives no height
    const withoutWidth = <Image loader={loader} src="/media/a.jpg" alt="" ratio="1:1" />
    // @ts-expect-error no content management system has a focus like this
    const wrongFocus = <Image {...cat} ratio="1:1" focus={{ left: '10%' }} />
    expect([withoutAlt, withoutHeight, withoutLoader, wrongLayout, withoutWidth, wrongFocus]).toHaveLength(6)
  })
})
