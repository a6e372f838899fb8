// docs/snippets/whole/server/express.ts
import express from "express";
import { createResponseCache, memoryStore } from "sitewright/cache";
import { expressMiddleware } from "sitewright/express";
import { packageFiles } from "sitewright/node";
import { createRevalidateEndpoint } from "sitewright/revalidate";
import { createStyleguideRoute } from "sitewright/styleguide";

// docs/snippets/whole/server/site.tsx
import { renderToReadableStream } from "react-dom/server";
import { createImages } from "sitewright/image";
import { createRoutes } from "sitewright/localized-pages";
import { createImageComponent } from "sitewright/react/image";
import { LanguageSwitch } from "sitewright/react/localized-pages";
import { Spacing } from "sitewright/react/spacing";
import { ColorPage, StyleguidePage } from "sitewright/react/styleguide";
import { sharpService } from "sitewright/sharp";
import { fromCssVariables } from "sitewright/styleguide";
import { jsx, jsxs } from "react/jsx-runtime";
var origin = "https://www.example.com";
var images = createImages({
  sources: { "/media/": "./media" },
  service: sharpService()
});
var Image = createImageComponent(images.loader);
var routes = createRoutes({
  languages: ["en", "de"],
  default: "en",
  paths: { "/about": { de: "/ueber-uns" } }
});
var respond = async (page, status, cacheControl) => {
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": cacheControl
  };
  return new Response(await renderToReadableStream(page), { status, headers });
};
var renderPage = (page) => {
  const body = /* @__PURE__ */ jsxs("html", { ...routes.html(page.language), children: [
    /* @__PURE__ */ jsxs("head", { children: [
      /* @__PURE__ */ jsx("link", { rel: "stylesheet", href: "/sitewright/spacing.css" }),
      routes.links(page, origin).map((link) => /* @__PURE__ */ jsx("link", { ...link }, link.hrefLang ?? link.rel))
    ] }),
    /* @__PURE__ */ jsx(LanguageSwitch, { links: routes.languageLinks(page), "aria-label": "Language" }),
    /* @__PURE__ */ jsxs(Spacing, { as: "main", marginXs: "small", marginMd: "large", children: [
      /* @__PURE__ */ jsx("h1", { children: page.route ?? "Not found" }),
      /* @__PURE__ */ jsx(
        Image,
        {
          src: "/media/black-canyon.jpg",
          alt: "The Black Canyon",
          width: 640,
          height: 469
        }
      )
    ] })
  ] });
  return respond(body, page.route ? 200 : 404, "public, max-age=0, s-maxage=86400");
};
var { colors } = fromCssVariables(
  ":root { --color-paper: #f6f1e6; --color-ink: #241a13 }"
);
var tree = {
  title: "Styleguide",
  pages: [{ title: "Colors", content: /* @__PURE__ */ jsx(ColorPage, { colors }) }]
};
var renderStyleguide = ({ slug, prefix, error }) => {
  const body = /* @__PURE__ */ jsxs("html", { lang: "en", children: [
    /* @__PURE__ */ jsx("link", { rel: "stylesheet", href: "/sitewright/styleguide.css" }),
    /* @__PURE__ */ jsx("script", { src: "/sitewright/styleguide.js" }),
    /* @__PURE__ */ jsx(StyleguidePage, { tree, slug, prefix, error })
  ] });
  return respond(body, 200, "no-store");
};

// docs/snippets/whole/server/express.ts
var { PORT = 3e3, REVALIDATE_SECRET, STYLEGUIDE_ENABLED } = process.env;
var cache = createResponseCache({
  store: memoryStore({ maxBytes: 64 * 1024 ** 2 }),
  fields: routes.cacheFields
  // one redirect from / for each language
});
var revalidate = createRevalidateEndpoint({
  secret: REVALIDATE_SECRET,
  images,
  pathsOf: routes.pathsOf,
  // one path purges the page in every language
  invalidate: cache.invalidate
});
var styleguide = createStyleguideRoute({
  tree,
  enabled: STYLEGUIDE_ENABLED === "true",
  render: renderStyleguide
});
var app = express().use(expressMiddleware(images.handler)).use(expressMiddleware(revalidate)).use(expressMiddleware(packageFiles())).use(expressMiddleware(styleguide)).use(expressMiddleware(cache.wrap(routes.handler(renderPage))));
var server = app.listen(PORT);
export {
  server
};
