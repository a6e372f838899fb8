import { createImages } from 'sitewright/image'
import { imgproxy } from 'sitewright/imgproxy'
import { createUpstreamFetch } from 'sitewright/node'

const { IMGPROXY_URL: serviceUrl, IMGPROXY_KEY: key, IMGPROXY_SALT: salt } = process.env

export const images = createImages({
  sources: ['/media/'],
  // `fetch` is optional; on Node, this one takes a third of the time of the global one.
  service: imgproxy({
    serviceUrl,
    key,
    salt,
    sourceBaseUrl: 'local://',
    fetch: createUpstreamFetch(),
  }),
})
