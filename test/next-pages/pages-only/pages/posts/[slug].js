import { readText } from '../../content'

export const getStaticPaths = () => ({ paths: [], fallback: 'blocking' })

export const getStaticProps = async ({ locale, params: { slug } }) => {
  const text = await readText()
  // A post that the editor has deleted.
  return text === 'deleted' ? { notFound: true } : { props: { text: `${locale} ${slug} ${text}` } }
}

export default function Post({ text }) {
  return <p>{text}</p>
}
