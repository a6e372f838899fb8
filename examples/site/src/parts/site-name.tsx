/** The journal's name, with its ampersand in italics. */
export function SiteName({ name }: { name: string }) {
  const [firstWord, secondWord] = name.split(' & ')
  if (!secondWord) return name
  return (
    <>
      {firstWord} <em>&amp;</em> {secondWord}
    </>
  )
}
