import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { MeasuredImage } from '../../../core/styleguide/index.js'
import { ImagesPage } from '../index.js'

const render = (images: readonly MeasuredImage[]) => renderToStaticMarkup(<ImagesPage images={images} alt="A cat" />)
const avif = { format: 'AVIF', type: 'image/avif', bytes: 1_893, size: { width: 640, height: 427 } }

describe('<ImagesPage>', () => {
  it('shows a message if nothing was measured', () => {
    expect(render([])).toBe('<p class="sw-empty">No images found</p>')
  })

  it('shows a row for each width, and the image with a srcset of all', () => {
    const html = render([
      { width: 320, url: '/a?width=320', deliveries: [{ ...avif, bytes: 900, size: { width: 320, height: 214 } }] },
      { width: 640, url: '/a?width=640', deliveries: [avif] },
    ])
    expect(html).toContain('<th scope="row"><a href="/a?width=640">640</a></th><td>640 × 427</td><td>1.9 kB </td>')
    expect(html).toContain('srcSet="/a?width=320 320w, /a?width=640 640w"')
    expect(html).toContain('src="/a?width=640"')
    expect(html).toContain('width="640" height="427"')
  })

  it('shows a format other than the requested one', () => {
    const html = render([{ width: 1, url: '/a', deliveries: [{ ...avif, type: 'image/webp' }] }])
    expect(html).toContain('1.9 kB <small>webp</small>')
  })

  it('shows why a width failed, and leaves it out of the srcset', () => {
    const html = render([
      { width: 320, url: '/a?width=320', deliveries: [avif] },
      { width: 640, url: '/a?width=640', deliveries: [{ format: 'AVIF', problem: '504 <b>timed out' }] },
    ])
    expect(html).toContain('<span class="sw-problem">504 &lt;b&gt;timed out</span>')
    expect(html).toContain('srcSet="/a?width=320 320w"')
    const none = render([{ width: 1, url: '/a', deliveries: [{ format: 'AVIF', problem: 'no' }] }])
    expect(none).not.toContain('<img')
  })
})
