import Head from 'next/head'
import { LanguageSwitch } from 'sitewright/react/localized-pages'

export default function App({
  Component,
  pageProps: { links = [], languageLinks, ...props },
}) {
  return (
    <>
      <Head>
        {links.map((link) => (
          <link key={link.hrefLang ?? link.rel} {...link} />
        ))}
      </Head>
      {languageLinks && <LanguageSwitch links={languageLinks} aria-label="Language" />}
      <Component {...props} />
    </>
  )
}
