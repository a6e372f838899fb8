import { cardMeta, createImages } from 'sitewright/image'
import { fileVersions } from 'sitewright/node'
import { sharpService } from 'sitewright/sharp'

const sources = { '/media/': './media' }

export const images = createImages({
  sources,
  version: fileVersions(sources),
  secret: process.env.CARD_SECRET, // openssl rand -hex 32
  service: sharpService({
    card: {
      font: { family: 'sans-serif', weight: 700 },
      colors: { text: '#f6f1e6', shade: '#16120e' },
    },
  }),
})

export function CardHead() {
  const card = images.card({
    src: '/media/black-canyon.jpg',
    focus: { x: 0.3, y: 0.7 },
    title: 'The Black Canyon, by boat',
    language: 'en',
    tags: ['/articles/black-canyon'],
  })
  const meta = cardMeta(card, {
    origin: 'https://www.example.com',
    alt: 'A boat between walls of rock',
  })
  return meta.map((each) => <meta key={each.property} {...each} />)
}
