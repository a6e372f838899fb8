import { readText } from '../content'
import styles from './index.module.css'

export const getStaticProps = async ({ locale, draftMode = false }) => {
  return { props: { text: `${locale} ${await readText()}${draftMode ? ' draft' : ''}` } }
}

export default function Page({ text }) {
  return (
    <main className={styles.main}>
      <p>{text}</p>
      <img src="/shop/media/cat.jpg" width={640} height={480} alt="A cat" />
    </main>
  )
}
