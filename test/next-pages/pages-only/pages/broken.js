export const getStaticProps = () => {
  if (process.env.TEXT_FILE) throw new Error('The content cannot be read')
  return { props: {} }
}

export default function Page() {
  return <p>broken</p>
}
