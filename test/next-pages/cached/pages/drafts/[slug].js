import { readText } from '../../content'

export const getStaticPaths = () => ({ paths: [{ params: { slug: 'a' } }], fallback: 'blocking' })

// Not found during the build, as a draft that is published later.
export const getStaticProps = async () =>
  process.env.TEXT_FILE ? { props: { text: await readText() } } : { notFound: true }

export default function Draft({ text }) {
  return <p>{text}</p>
}
