import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { createImageLoader } from '../../core/image/index.js'
import { Image, type ImageProps, imageProps } from './image.js'
import { Picture, type PictureProps, type PictureSource } from './picture.js'

const loader = createImageLoader({ sources: ['/media/'] })
const cat = { loader, src: '/media/cat.jpg', alt: 'A cat, running', width: 320, height: 160 }
const phone = { media: '(max-width: 40rem)', ratio: '1:1' }
const path = '/_image/L21lZGlhL2NhdC5qcGc'
const render = (sources: PictureSource[], props: Partial<ImageProps> = {}) =>
  renderToStaticMarkup(<Picture {...({ ...cat, ...props, sources } as PictureProps)} />)
const sourceOf = (html: string) => /<source[^>]*>/.exec(html)?.[0] ?? ''

describe('<Picture>', () => {
  it('Picture renders the <img> of Image, after a <source> with another shape', () => {
    expect(render([{ ...phone, focus: { x: 0.3, y: 0.7 } }], { placeholder: 'ZAbBc', className: 'lead' })).toBe(
      `<picture><source media="(max-width: 40rem)" ` +
        `srcSet="${path}?width=384&amp;ratio=1:1&amp;focus=3,7 384w, ${path}?width=640&amp;ratio=1:1&amp;focus=3,7 640w" ` +
        `sizes="auto, (min-width: 320px) 320px, 100vw" width="320" height="320"/>` +
        `${renderToStaticMarkup(<Image {...cat} placeholder="ZAbBc" className="lead" />)}</picture>`,
    )
  })

  const night = { media: '(prefers-color-scheme: dark)', src: '/media/night.jpg' }
  it.each<[string, PictureSource, Partial<ImageProps>, RegExp[]]>([
    ['the ratio of the source', phone, { ratio: '16:9' }, [/ratio=1:1/, /width="320" height="320"/]],
    ['the ratio of the picture', night, { ratio: '16:9' }, [/ratio=16:9/, /width="320" height="180"/]],
    ['the proportion of the picture', { ...night, width: 200 }, {}, [/width="200" height="100"/]],
    ['the height of the source', { ...night, height: 240 }, {}, [/width="320" height="240"/]],
    ['no focus of another image', night, { ratio: '1:1', focus: 'top' }, [/ratio=1:1 384w/]],
    ['the focus of the same image', phone, { ratio: '16:9', focus: 'top' }, [/ratio=1:1&amp;focus=5,0 384w/]],
    ['no width of another original', night, { originalWidth: 384 }, [/384w, .* 640w/]],
    ['the sizes of the source', { ...phone, sizes: '50vw' }, { sizes: '20vw' }, [/sizes="auto, 50vw"/]],
    ['a file that the loader leaves as it is', { ...night, src: '/night.svg' }, {}, [/srcSet="\/night.svg"/]],
    ['the layout of the picture', phone, { layout: 'full-width' }, [/sizes="auto, 100vw"/]],
  ])('a source has %s', (_, source, props, patterns) => {
    for (const pattern of patterns) expect(sourceOf(render([source], props))).toMatch(pattern)
  })

  it('a picture with priority preloads each image if its media query is the first that matches', () => {
    const html = render([phone, night], { priority: true })
    const preloads = [...html.matchAll(/<link rel="preload"[^>]*>/g)].map(([link]) => link)
    expect(preloads.map((link) => /media="([^"]*)"/.exec(link)?.[1])).toEqual([
      '((max-width: 40rem))',
      '((prefers-color-scheme: dark)) and (not ((max-width: 40rem)))',
      '(not ((max-width: 40rem))) and (not ((prefers-color-scheme: dark)))',
    ])
    const srcsets = [...html.matchAll(/<(?:source|img)[^>]* srcSet="([^"]*)"/g)].map(([, srcset]) => srcset)
    expect(preloads.map((link) => /imageSrcSet="([^"]*)"/.exec(link)?.[1])).toEqual(srcsets)
    expect(html).not.toContain('auto, ')
    expect(html.match(/<img[^>]*>/)?.[0]).toContain('fetchPriority="high"')
  })

  it('a picture without priority, or with a query that cannot be negated, preloads no image', () => {
    expect(render([phone])).not.toContain('preload')
    expect(render([{ ...phone, media: 'print' }], { priority: true })).not.toContain('preload')
  })

  it.each<[string, unknown, string]>([
    ['no sources', undefined, "sources: expected a list such as [{ media: '(max-width: 40rem)' }], got undefined"],
    [
      'a source without media',
      [{ ratio: '1:1' }],
      "media: expected a media query such as '(max-width: 40rem)', got undefined",
    ],
    ['an empty media query', [{ media: ' ' }], 'media: expected a media query'],
    [
      'a misspelled name',
      [{ ...phone, ration: '1:1' }],
      'ration: expected one of the options media, src, width, ratio',
    ],
    ['a ratio of another form', [{ ...phone, ratio: '16/9' }], 'ratio: expected whole numbers'],
    ['a width that is not a number', [{ ...phone, width: '640' }], 'width: expected a number >= 1'],
  ])('Picture throws for %s', (_, sources, message) => {
    expect(() => render(sources as never)).toThrow(message)
  })

  it('a picture without sources, or a source without media, does not compile', () => {
    // @ts-expect-error sources is missing
    const withoutSources = <Picture {...cat} />
    // @ts-expect-error media is missing
    const withoutMedia = <Picture {...cat} sources={[{ ratio: '1:1' }]} />
    expect([withoutSources, withoutMedia]).toHaveLength(2)
    expect(() => render([phone], { loader: undefined as never })).toThrow(/^loader: expected/)
  })
})

describe('imageProps', () => {
  it.each<[string, Partial<ImageProps>]>([
    ['an image', {}],
    ['a crop', { ratio: '1:1', focus: 'top', placeholder: 'ZAbBc' }],
  ])('imageProps returns the attributes of Image: %s', (_, props) => {
    const imageOptions = { ...cat, ...props } as ImageProps
    // biome-ignore lint/a11y/useAltText: it is one of the attributes
    expect(renderToStaticMarkup(<img {...imageProps(imageOptions)} />)).toBe(
      renderToStaticMarkup(<Image {...imageOptions} />),
    )
  })

  it('imageProps with priority is not lazy, and preloads no image', () => {
    // biome-ignore lint/a11y/useAltText: it is one of the attributes
    const html = renderToStaticMarkup(<img {...imageProps({ ...cat, priority: true })} loading={undefined} />)
    expect(html).toContain('fetchPriority="high"')
    expect(html).not.toContain('lazy')
  })
})
