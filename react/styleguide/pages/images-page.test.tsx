// @vitest-environment happy-dom
import { cleanup, render as renderInDom, screen, within } from '@testing-library/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it } from 'vitest'
import type { MeasuredImage } from '../../../core/styleguide/index.js'
import { ImagesPage } from '../index.js'

const render = (images: readonly MeasuredImage[]) => renderToStaticMarkup(<ImagesPage images={images} alt="A cat" />)
const avif = { format: 'AVIF', type: 'image/avif', bytes: 1_893, size: { width: 640, height: 427 } }

afterEach(cleanup)

describe('<ImagesPage>', () => {
  it('the page shows a message if there are no images', () => {
    expect(render([])).toBe('<p class="sw-empty">No images found</p>')
  })

  it('the page shows a row for each width, and the image with a srcset of all widths', () => {
    const images = [
      { width: 320, url: '/a?width=320', deliveries: [{ ...avif, bytes: 900, size: { width: 320, height: 214 } }] },
      { width: 640, url: '/a?width=640', deliveries: [avif] },
    ]
    expect(render(images)).toContain('<th scope="row"><a href="/a?width=640">640</a></th>')
    renderInDom(<ImagesPage images={images} alt="A cat" />)
    const row = screen.getByRole('row', { name: /^640/ })
    expect(within(row).getByRole('link', { name: '640' }).getAttribute('href')).toBe('/a?width=640')
    expect(
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['640 × 427', '1.9 kB '])
    const image = screen.getByRole('img', { name: 'A cat' })
    expect(['srcset', 'src', 'width', 'height'].map((name) => image.getAttribute(name))).toEqual([
      ...['/a?width=320 320w, /a?width=640 640w', '/a?width=640', '640', '427'],
    ])
  })

  it('the last width says that it is that of the original', () => {
    const html = render([{ width: 1080, url: '/a', deliveries: [avif] }])
    expect(html).toContain('<a href="/a">original</a></th><td>640 × 427</td>')
  })

  it('the delivered format is shown if it differs from the requested format', () => {
    const html = render([{ width: 640, url: '/a', deliveries: [{ ...avif, type: 'image/webp' }] }])
    expect(html).toContain('1.9 kB <small>webp</small>')
  })

  it('the page shows why a width failed, and the srcset leaves it out', () => {
    const html = render([
      { width: 320, url: '/a?width=320', deliveries: [avif] },
      { width: 640, url: '/a?width=640', deliveries: [{ format: 'AVIF', problem: '504 <b>timed out' }] },
    ])
    expect(html).toContain('<span class="sw-problem">504 &lt;b&gt;timed out</span>')
    expect(html).toContain('srcSet="/a?width=320 320w"')
    renderInDom(
      <ImagesPage images={[{ width: 640, url: '/a', deliveries: [{ format: 'AVIF', problem: 'no' }] }]} alt="" />,
    )
    expect(screen.getByRole('cell', { name: 'no' })).toBeDefined()
    expect(document.querySelector('img')).toBeNull()
  })
})
