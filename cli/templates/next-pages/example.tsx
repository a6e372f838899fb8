import Image from 'next/image'

// Content of your CMS. The page is rendered again after a purge.
export const getStaticProps = () => ({ props: { text: new Date().toISOString() } })
export default function Page({ text = '' }) {
  const image = { src: '/media/cat.jpg', width: 640, height: 480 }
  return (
    <p>
      {text} <Image {...image} alt="A cat" />
    </p>
  )
}
