// adapters/tailwind/theme.ts
import { createRequire as createRequire2 } from "node:module";
import { dirname as dirname2, resolve as resolve2 } from "node:path";
import { fileURLToPath as fileURLToPath2 } from "node:url";
import * as tailwindcss from "tailwindcss";

// core/describe-error.ts
var maxCauses = 5;
function describeError(error) {
  const messages = [];
  for (let each = error; messages.length <= maxCauses; each = each.cause) {
    if (!(each instanceof Error)) return [...messages, String(each)].join(": ");
    messages.push(each.message || String(each.code ?? each.name));
    if (!each.cause) break;
  }
  return messages.join(": ");
}

// core/styleguide/colors/contrast.ts
import { converter, formatHex, formatHex8, parse } from "culori";
var toRgb = converter("rgb");
var gamutTolerance = 0.5 / 255;
var maxColorLength = 256;
function parseColor(value) {
  if (value.length > maxColorLength) return void 0;
  if (/^[\da-f]+$/i.test(value)) return void 0;
  try {
    return parse(value.toLowerCase());
  } catch {
    return void 0;
  }
}

// core/styleguide/values/brackets.ts
function splitTopLevel(text, separator) {
  const parts = [];
  let depth = 0;
  let quote = "";
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === "\\") index++;
    else if (quote) quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === "(" || character === "[") depth++;
    else if (character === ")" || character === "]") depth--;
    else if (character === separator && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}
function closingParenthesis(text, start) {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    if (text[index] === "(") depth++;
    else if (text[index] === ")" && depth-- === 0) return index;
  }
  return -1;
}
function parseFunction(value) {
  const name = /^-{0,2}[a-z][a-z-]*(?=\()/i.exec(value)?.[0];
  if (name === void 0) return void 0;
  const start = name.length + 1;
  return closingParenthesis(value, start) === value.length - 1 ? { name: name.toLowerCase(), inner: value.slice(start, -1) } : void 0;
}

// core/styleguide/colors/browser-color.ts
var colorSpaces = /^(?:rgba?|hsla?|hwb|(?:ok)?lab|(?:ok)?lch|color)$/;
var otherFunctions = /^(?:color-mix|light-dark|contrast-color|device-cmyk)$/;
var interpolation = /^\s*in\s+[a-z][\w-]*(?:\s+(?:shorter|longer|increasing|decreasing)\s+hue)?\s*$/i;
var percentage = /^\s*[\d.+-]+%\s|\s[\d.+-]+%\s*$/g;
var substitution = /(?<![\w-])(?:var|env)\(/i;
var maxDepth = 8;
function isBrowserColor(value, isPlain, depth = 0) {
  const { name = "", inner = "" } = parseFunction(value) ?? {};
  const isNestedColor = (text) => isPlain(text.trim()) || depth < maxDepth && isBrowserColor(text.trim(), isPlain, depth + 1);
  if (name === "var") return /^\s*--[^\s,()]+\s*(?:,|$)/.test(inner);
  if (name === "env") return /^\s*[a-z-]/i.test(inner);
  if (!isColorFunction(name)) return false;
  if (substitution.test(inner)) return true;
  if (colorSpaces.test(name)) return inner.includes("(") || /^\s*from\s|^\s*--/i.test(inner);
  if (name === "device-cmyk") return /\d/.test(inner);
  if (name === "contrast-color") return isNestedColor(inner);
  const colors = splitTopLevel(inner, ",");
  if (name === "light-dark") return colors.length === 2 && colors.every(isNestedColor);
  const [space = "", ...components] = colors;
  return interpolation.test(space) && components.length > 1 && components.every((component) => isNestedColor(component.replace(percentage, " ")));
}
function isColorFunction(name) {
  return colorSpaces.test(name) || otherFunctions.test(name);
}

// core/styleguide/colors/style-color.ts
var skippedKeywords = /* @__PURE__ */ new Set(["inherit", "transparent", "currentcolor"]);
var systemColors = /^(?:accentcolor(?:text)?|activetext|button(?:border|face|text)|canvas(?:text)?|field(?:text)?|graytext|highlight(?:text)?|linktext|mark(?:text)?|selecteditem(?:text)?|visitedtext)$/i;
function toColor(label, value) {
  if (typeof value === "number") return { ...label, value: String(value), problem: "is a number, not a color" };
  if (typeof value !== "string") return invalidColor(label, `is ${describeType(value)}, not a color`);
  const color = normalize(value);
  if (skippedKeywords.has(color.toLowerCase())) return void 0;
  if (!color) return invalidColor(label, "is empty");
  return isColor(color) ? { ...label, value: color } : { ...label, value: color, problem: "is not a known CSS color" };
}
function invalidColor(label, problem) {
  return { ...label, value: "", problem };
}
function isColor(value) {
  return isPlainColor(value) || isBrowserColor(value, isPlainColor);
}
function isPlainColor(value) {
  return systemColors.test(value) || parseColor(value) !== void 0;
}
function looksLikeColor(value) {
  if (typeof value !== "string") return false;
  const color = normalize(value);
  const name = parseFunction(color)?.name ?? "";
  return name !== "env" && (/^#/.test(color) || isColorFunction(name) || isColor(color));
}
function normalize(value) {
  const color = value.replace(/(?<![\s;])[\s;]+$/, "").trim().replaceAll("<alpha-value>", "1");
  const alpha = parseFunction(color);
  if (alpha?.name !== "--alpha") return color;
  const [base = "", opacity = ""] = splitTopLevel(alpha.inner, "/");
  return `color-mix(in oklab, ${base.trim()} ${opacity.trim()}, transparent)`;
}
function splitShade(name) {
  const [, group, shade] = /^(.+)-(\d{1,4}|DEFAULT)$/s.exec(name) ?? [];
  return group ? { group, shade } : {};
}
function describeType(value) {
  if (value === null || value === void 0) return String(value);
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

// core/styleguide/readers/own-members.ts
function ownMember(value, key) {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return void 0;
  try {
    return value[key];
  } catch {
    return void 0;
  }
}
function ownEntries(value) {
  return Object.keys(value).map((key) => [key, ownMember(value, key)]);
}

// core/styleguide/readers/css/references.ts
var referenceStart = /var\(\s*(--[^\s,()]+)/gi;
var tokens = /"(?:\\.?|[^"\\])*(?:"|$)|'(?:\\.?|[^'\\])*(?:'|$)|(?<![\w-])var\(|[()]/gis;
var maxResolvedLength = 1e3;
function referencesIn(value) {
  return typeof value === "string" ? Array.from(value.matchAll(referenceStart), ([, name]) => name) : [];
}
function createResolver(declared, known = () => void 0) {
  const results = /* @__PURE__ */ new Map();
  const resultOf = (name) => results.get(name) ?? known(name);
  return (name) => {
    const path = [name];
    const open = /* @__PURE__ */ new Set();
    for (let next = path.at(-1); next !== void 0; next = path.at(-1)) {
      const value = declared(next);
      const targets = resultOf(next) ? [] : targetsOf(next, value);
      if (!open.has(next) && targets.length > 0) {
        open.add(next);
        path.push(...targets.filter((target) => !resultOf(target) && !open.has(target)));
        if (path.at(-1) !== next) continue;
      }
      if (!resultOf(next)) results.set(next, resolve3(next, value, targets));
      path.pop();
    }
    return resultOf(name);
  };
  function targetsOf(name, value) {
    return referencesIn(value).filter((target) => target !== name && declared(target) !== void 0);
  }
  function resolve3(name, value, targets) {
    if (targets.length === 0) return { value };
    const resolved = targets.map(resultOf);
    const isCircular = resolved.some((target) => target === void 0 || target.isCircular);
    const alias = wholeReference(value);
    const isAlias = alias !== void 0 && alias !== name && targets.includes(alias);
    if (isCircular) return { value, isCircular, ...isAlias && { alias } };
    if (isAlias) return { value: resultOf(alias)?.value, alias };
    return { value: substitute(value, (target) => target === name ? void 0 : resultOf(target)?.value) };
  }
}
function wholeReference(value) {
  const { name, inner = "" } = parseFunction(value.trim()) ?? {};
  return name === "var" ? /^\s*(--[^\s,()]+)\s*(?:,|$)/.exec(inner)?.[1] : void 0;
}
function substitute(value, lookUp) {
  let result = "";
  let end = 0;
  let depth = 0;
  let start;
  for (const { 0: token, index } of value.matchAll(tokens)) {
    if (token === ")") {
      depth--;
      if (start?.depth !== depth) continue;
      const [name = ""] = splitTopLevel(value.slice(start.index, index), ",");
      const replacement = lookUp(name.trim());
      if (typeof replacement !== "string") return value;
      result += replacement;
      if (result.length > maxResolvedLength) return value;
      end = index + 1;
      start = void 0;
    } else if (token.endsWith("(")) {
      if (token.length > 1 && !start) {
        result += value.slice(end, index);
        start = { depth, index: index + token.length };
      }
      depth++;
    }
  }
  const text = result + value.slice(end);
  return start || text.length > maxResolvedLength ? value : text;
}

// core/styleguide/readers/css/custom-properties.ts
function resolveProperties(properties, { root, modes = [] } = {}) {
  const own2 = collect(properties);
  const declared = new Map([...own2, ...root ? collect(root) : []]);
  const resolve3 = createResolver((name) => declared.get(name));
  const resolved = Array.from(own2.keys(), (name) => ({ name, ...resolve3(name) }));
  const dependents = createDependents(declared);
  for (const [mode, declarations] of modes) {
    const changed = collect(declarations);
    for (const property of resolveMode(changed, declared, resolve3, dependents())) {
      if (!root || own2.has(property.name)) resolved.push({ ...property, mode });
    }
  }
  return resolved;
}
function readCustomProperties(properties, prefix, page, isMixed = false) {
  return resolveProperties(properties, page).flatMap(({ name: property, value, alias, isCircular, mode }) => {
    if (!property.startsWith(prefix) || property.length === prefix.length) return [];
    const name = property.slice(prefix.length);
    const label = {
      name,
      ...splitShade(name),
      ...alias && { alias: withoutPrefix(alias, prefix) },
      ...mode !== void 0 && { mode }
    };
    if (isMixed && !isCircular && !looksLikeColor(value)) return [];
    const color = isCircular ? invalidColor(label, "is an alias of itself") : toColor(label, value);
    return color ? [color] : [];
  });
}
function collect(properties) {
  const declared = /* @__PURE__ */ new Map();
  for (const [name, value] of properties) {
    const removed = typeof value === "string" && /^\s*initial\s*$/i.test(value);
    if (!removed) declared.set(name, value);
    else if (name.endsWith("*")) removeNamespace(declared, name.slice(0, -1));
    else declared.delete(name);
  }
  return declared;
}
function removeNamespace(declared, namespace) {
  for (const name of declared.keys()) if (name.startsWith(namespace)) declared.delete(name);
}
function withoutPrefix(property, prefix) {
  return property.startsWith(prefix) ? property.slice(prefix.length) : property;
}
function createDependents(declared) {
  let dependents;
  return () => {
    if (dependents) return dependents;
    dependents = /* @__PURE__ */ new Map();
    for (const [name, value] of declared) {
      for (const target of referencesIn(value)) {
        const names = dependents.get(target);
        if (names) names.push(name);
        else dependents.set(target, [name]);
      }
    }
    return dependents;
  };
}
function resolveMode(changed, declared, resolveOwn, dependents) {
  const affected = new Set(changed.keys());
  for (const name of affected) for (const dependent of dependents.get(name) ?? []) affected.add(dependent);
  const resolve3 = createResolver(
    (name) => changed.has(name) ? changed.get(name) : declared.get(name),
    (name) => affected.has(name) ? void 0 : resolveOwn(name)
  );
  return Array.from(affected, (name) => ({ name, ...resolve3(name) })).filter(
    ({ name, value }) => changed.has(name) || value !== resolveOwn(name).value
  );
}

// core/styleguide/readers/tailwind-theme/theme.ts
function readTheme(theme) {
  if (Symbol.iterator in theme) {
    return { properties: plainValues(theme), prefix: "--", page: {} };
  }
  if (!isLoaded(theme)) return { properties: plainValues(ownEntries(theme)), prefix: "--", page: {} };
  const { prefix, rootProperties: root = [], modes } = theme;
  return { properties: plainValues(theme.entries()), prefix: prefix ? `--${prefix}-` : "--", page: { root, modes } };
}
function isLoaded(theme) {
  return "entries" in theme && typeof theme.entries === "function";
}
function plainValues(properties) {
  return Array.from(properties, ([name, value]) => [name, plainValue(value)]);
}
function plainValue(value) {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "value") ? value.value : value;
}

// core/styleguide/readers/css/selectors.ts
var identifier = String.raw`(?:\\.|[\w-]|[^\x00-\x7f])+`;
var part = new RegExp(
  [
    String.raw`(?<type>${identifier}|\*)`,
    String.raw`\.(?<className>${identifier})`,
    String.raw`\[\s*(?<attribute>${identifier})\s*(?:[~|^$*]?=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>${identifier}))\s*[is]?\s*)?\]`,
    String.raw`(?<pseudo>:[\w-]+)(?<open>\()?`
  ].join("|"),
  "suy"
);
var modeName = /^(?:light|dark)$|(?:^|[-_])(?:theme|mode|scheme)(?:[-_]|$)/i;
var automatic = /* @__PURE__ */ new Set(["auto", "system"]);
var maxDepth2 = 8;
function parseSelectorList(list, named = /* @__PURE__ */ new Map()) {
  return parseList(list, named, 0);
}
function normalizeSelector(selector) {
  return selector.trim().replace(/\s+/g, " ").replace(/["']/g, "").replace(/ ?([>+~,=[\]]) ?/g, "$1");
}
function parseList(list, named, depth) {
  const found = splitTopLevel(list, ",").flatMap((selector) => parseSelector(selector.trim(), named, depth) ?? []);
  const own2 = found.find(({ anchor, labels }) => anchor === "root" && labels.length === 0);
  if (own2) return own2;
  const modes = found.filter(({ labels, isAutomatic }) => labels.length > 0 || isAutomatic);
  return modes.sort((a, b) => lengthOf(a) - lengthOf(b))[0] ?? found[0];
}
function lengthOf({ labels, isAutomatic }) {
  return labels.length === 0 && isAutomatic ? Number.POSITIVE_INFINITY : labels.join(" ").length;
}
function parseSelector(selector, named, depth) {
  const normalized = named.size > 0 ? normalizeSelector(selector) : "";
  if (named.has(normalized)) {
    const mode = named.get(normalized);
    return { anchor: "root", labels: mode === void 0 ? [] : [mode], isAutomatic: false };
  }
  let anchor;
  let isAutomatic = false;
  let mayBeMode;
  const labels = /* @__PURE__ */ new Set();
  const present = [];
  const addLabel = (label) => {
    if (automatic.has(label.toLowerCase())) isAutomatic = true;
    else labels.add(label);
  };
  const addParsed = (inner) => {
    for (const label of inner?.labels ?? []) labels.add(label);
    isAutomatic ||= inner?.isAutomatic ?? false;
  };
  for (let index = 0; index < selector.length; ) {
    part.lastIndex = index;
    const groups = part.exec(selector)?.groups;
    if (!groups) return void 0;
    index = part.lastIndex;
    const { type, className, attribute, pseudo, open } = groups;
    const value = groups.double ?? groups.single ?? groups.bare;
    if (type !== void 0) {
      if (type.toLowerCase() !== "html") return void 0;
      anchor = "root";
    } else if (className !== void 0) {
      addLabel(className);
      mayBeMode = mayBeMode !== false && modeName.test(className);
    } else if (attribute !== void 0) {
      if (value) addLabel(value);
      else present.push(attribute);
      mayBeMode = mayBeMode !== false && modeName.test(attribute);
    } else if (pseudo !== void 0) {
      const end = open ? closingParenthesis(selector, index) : index;
      if (end < 0) return void 0;
      const inner = selector.slice(index, end);
      index = open ? end + 1 : end;
      const name = pseudo.toLowerCase();
      if (name === ":root") anchor = "root";
      else if (name === ":host") {
        anchor ??= "host";
        if (open) addParsed(parseCondition(inner, named, depth));
      } else if (name === ":where" || name === ":is") {
        const parsed = depth < maxDepth2 ? parseList(inner, named, depth + 1) : void 0;
        if (!parsed) return void 0;
        if (parsed.anchor === "mode") mayBeMode ??= true;
        else anchor = parsed.anchor;
        addParsed(parsed);
      } else if (name !== ":not") {
        addLabel(`${pseudo}${open ? `(${inner})` : ""}`);
        mayBeMode = false;
      }
    }
  }
  if (labels.size === 0 && !isAutomatic) for (const attribute of present) labels.add(attribute);
  anchor ??= mayBeMode ? "mode" : void 0;
  return anchor && { anchor, labels: [...labels], isAutomatic };
}
function parseCondition(condition, named, depth) {
  return depth < maxDepth2 ? parseSelector(`:root${condition.trim()}`, named, depth + 1) : void 0;
}

// core/styleguide/readers/css/context.ts
var outermost = { kind: "rules", mode: "", isMedia: false };
var other = { kind: "other", mode: "", isMedia: false };
var maxModeLength = 200;
function contextOf(prelude, parent, named) {
  if (parent.kind === "other" || parent.mode.length > maxModeLength) return other;
  const text = prelude.trim();
  const [, name, parameters = ""] = /^@([\w-]+)(.*)$/s.exec(text) ?? [];
  if (name !== void 0) return atRule(name.toLowerCase(), parameters.trim(), parent);
  const list = parent.kind === "rules" ? text : /^&(?!\s)/.test(text) ? text.replace(/&/g, ":root") : "";
  const selector = list ? parseSelectorList(list, named) : void 0;
  if (!selector) return other;
  const own2 = selector.labels.join(" ");
  const mode = selector.isAutomatic ? own2 || parent.mode || "auto" : joinModes(parent.mode, own2);
  return { kind: "declarations", mode, isMedia: parent.isMedia && !own2 };
}
function atRule(name, parameters, parent) {
  if (name === "layer") return parent;
  if (name === "theme") return parent.kind === "rules" ? { ...parent, kind: "declarations" } : other;
  if (name === "supports") return /^not\b/i.test(parameters) ? other : parent;
  if (name === "variant") return { ...parent, mode: joinModes(parent.mode, parameters) };
  if (name !== "media") return other;
  const mode = joinModes(parent.mode, mediaLabel(parameters));
  return { ...parent, mode, isMedia: mode !== "" && (parent.mode === "" || parent.isMedia) };
}
function joinModes(outer, inner) {
  return outer === inner || !inner ? outer : outer ? `${inner}, ${outer}` : inner;
}
function mediaLabel(query) {
  const condition = query.replace(/\s+/g, " ").replace(/^(?:only )?(?:all|screen)(?: and (?=\()|$)/i, "").trim();
  const [, feature] = /^\(([^()]*)\)$/.exec(condition) ?? [];
  const [, scheme] = /^prefers-color-scheme ?: ?(\w+)$/i.exec(feature?.trim() ?? "") ?? [];
  return scheme?.toLowerCase() ?? feature?.trim() ?? condition;
}

// core/styleguide/readers/css/declaration.ts
var escapeSequence = /\\([\da-f]{6}\s?|[\da-f]{1,5}(?![\da-f])\s?|[^\n\da-f])/isu;
var escapes = new RegExp(escapeSequence, "gisu");
var declaration = new RegExp(`^\\s*((?:${escapeSequence.source}|[\\w-]|\\P{ASCII})+)\\s*:(.*)$`, "isu");
function startsDeclaration(text) {
  return unescapeName(declaration.exec(text)?.[1] ?? "") !== void 0;
}
function parseDeclaration(text, bangs) {
  const [, written = "", , rest = ""] = declaration.exec(text) ?? [];
  const name = unescapeName(written);
  const value = bangs === 1 ? rest.trim().replace(/!\s*important$/i, "") : rest.trim();
  const isFlagged = bangs > 0 && value === rest.trim();
  return name === void 0 || isFlagged ? void 0 : [name, value.trim()];
}
function unescapeName(written) {
  const name = written.replace(escapes, decodeEscape);
  return name.startsWith("--") && name.length > 2 ? name : void 0;
}
function decodeEscape(_, escaped) {
  const code = /^[\da-f]/i.test(escaped) ? Number.parseInt(escaped, 16) : void 0;
  if (code === void 0) return escaped;
  return code === 0 || code > 1114111 || code >= 55296 && code <= 57343 ? "\uFFFD" : String.fromCodePoint(code);
}

// core/styleguide/readers/css/stylesheet.ts
var tokens2 = new RegExp(
  [
    /\/\*.*?(?:\*\/|$)/,
    /"(?:\\.|[^"\\\n])*(?:"|$)?/,
    /'(?:\\.|[^'\\\n])*(?:'|$)?/,
    /(?<![\w\\#@-]|\P{ASCII})url\((?!\s*["'])(?:\\.|[^)\\])*\)?/u,
    /\\./,
    /<!--/,
    /[{}();[\]!]/,
    /[^/"'\\{}();[\]!<u]+/,
    /./
  ].map(({ source }) => source).join("|"),
  "gisu"
);
var closers = /* @__PURE__ */ new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"]
]);
var validUrl = /^url\(\s*(?:\\[^\n]|[^\s"'()\\])*\s*\)?$/isu;
function readStylesheet(css2, options = {}) {
  const named = nameSelectors(options);
  const collector = createCollector();
  const blocks = [];
  let text = "";
  let brackets = [];
  let bangs = 0;
  let isInvalid = false;
  const reset = () => {
    text = "";
    brackets = [];
    bangs = 0;
    isInvalid = false;
  };
  const endDeclaration = () => {
    const block = blocks.at(-1);
    const declaration2 = block && !isInvalid ? parseDeclaration(text, bangs) : void 0;
    if (declaration2 && block) collector.add(block.context, declaration2, block.prelude);
    reset();
  };
  for (const { 0: token, index } of css2.matchAll(tokens2)) {
    const isNested = brackets.length > 0;
    const opensRule = token === "{" && !isNested && (blocks.length === 0 || !startsDeclaration(text));
    const closer = closers.get(token);
    if (opensRule) {
      const parent = blocks.at(-1)?.context ?? outermost;
      blocks.push({ context: contextOf(isInvalid ? "" : text, parent, named), prelude: text });
      reset();
    } else if (token === "}" && !isNested && blocks.length > 0) {
      endDeclaration();
      blocks.pop();
    } else if (token === ";" && !isNested && (blocks.length > 0 || text.trimStart().startsWith("@"))) endDeclaration();
    else {
      if (closer) brackets.push(closer);
      else if (token === brackets.at(-1)) brackets.pop();
      else if (/^[)}\]]$/.test(token) || isMalformed(token, index + token.length === css2.length)) isInvalid = true;
      else if (token === "!" && !isNested) bangs++;
      text += token.startsWith("/*") ? " " : token;
    }
  }
  endDeclaration();
  return collector.result();
}
function isMalformed(token, isLast) {
  if (/^["']/.test(token)) return !isLast && (token.length < 2 || token.at(-1) !== token[0]);
  return /^url\(/i.test(token) && !validUrl.test(token);
}
function nameSelectors({ selectors = [], modes = {} }) {
  return new Map([
    ...selectors.map((selector) => [normalizeSelector(selector), void 0]),
    ...Object.entries(modes).map(([mode, selector]) => [normalizeSelector(selector), mode])
  ]);
}
function createCollector() {
  const root = [];
  const modes = /* @__PURE__ */ new Map();
  const mediaModes = /* @__PURE__ */ new Map();
  const elsewhere = { count: 0 };
  return {
    add({ kind, mode, isMedia }, declaration2, selector) {
      if (kind !== "declarations") {
        elsewhere.count++;
        elsewhere.first ??= { property: declaration2[0], selector: selector.trim() };
      } else if (!mode) root.push(declaration2);
      else {
        const byName = isMedia ? mediaModes : modes;
        const declarations = byName.get(mode);
        if (declarations) declarations.push(declaration2);
        else byName.set(mode, [declaration2]);
      }
    },
    result() {
      for (const [name, declarations] of mediaModes) {
        const chosen = modes.get(name);
        if (!chosen) modes.set(name, declarations);
        else if (!isPartOf(declarations, chosen)) modes.set(`${name} (media query)`, declarations);
      }
      return { root, modes, elsewhere };
    }
  };
}
function isPartOf(part2, whole) {
  const values = new Map(whole);
  return [...new Map(part2)].every(([name, value]) => values.get(name) === value);
}

// core/styleguide/readers/tailwind-theme/colors.ts
function fromTailwindTheme(theme) {
  const { properties, prefix, page } = readTheme(theme);
  return readCustomProperties(properties, `${prefix}color-`, page);
}

// adapters/tailwind/load.ts
import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

// adapters/tailwind/style-export.ts
function resolveStyleExport(manifest, subpath) {
  const exports = own(manifest, "exports");
  const target = own(exports, subpath ? `./${subpath}` : ".") ?? (subpath ? void 0 : exports);
  return cssTarget(target) ?? (subpath ? void 0 : cssTarget(own(manifest, "style")) ?? "index.css");
}
function cssTarget(target) {
  if (typeof target === "string") return target.endsWith(".css") ? target : void 0;
  const next = own(target, "style") ?? own(target, "default");
  return next === void 0 ? void 0 : cssTarget(next);
}
function own(value, key) {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? value[key] : void 0;
}

// adapters/tailwind/load.ts
async function loadStylesheet(id, base) {
  const path = await findStylesheet(id, base);
  if (!path) throw new Error(`@import "${id}" is neither a file nor a package's stylesheet; resolved from ${base}`);
  return { path, base: dirname(path), content: await readFile(path, "utf8") };
}
async function findStylesheet(id, base) {
  const path = id.startsWith("file:") ? fileURLToPath(id) : resolve(base, id);
  for (const file of [path, `${path}.css`]) if (await isFile(file)) return file;
  const [, name, subpath = ""] = /^((?:@[^/]+\/)?[^./@][^/]*)(?:\/(.+))?$/.exec(id) ?? [];
  return name && findInPackage(name, subpath, base);
}
async function findInPackage(name, subpath, base) {
  const root = join(base, "node_modules", name);
  const manifest = join(root, "package.json");
  if (await isFile(manifest)) {
    const style = resolveStyleExport(JSON.parse(await readFile(manifest, "utf8")), subpath);
    for (const file of [style, subpath, `${subpath}.css`]) {
      if (file && await isFile(join(root, file))) return join(root, file);
    }
  }
  const parent = dirname(base);
  return parent === base ? void 0 : findInPackage(name, subpath, parent);
}
async function isFile(path) {
  return (await stat(path).catch(() => void 0))?.isFile() ?? false;
}
async function loadModule(id, base, kind) {
  try {
    const path = createRequire(join(base, "from.js")).resolve(id);
    const module = await import(pathToFileURL(path).href);
    return { path, base: dirname(path), module: module.default ?? module };
  } catch (error) {
    throw new Error(`@${kind} "${id}" could not be loaded from ${base}: ${describeError(error)}`, {
      cause: error
    });
  }
}

// adapters/tailwind/theme.ts
async function fromTailwind4(css2, options) {
  return fromTailwindTheme(await readTailwind4Theme(css2, options));
}
async function readTailwind4Theme(css2, { from, base } = {}) {
  const file = from ? resolve2(from instanceof URL ? fileURLToPath2(from) : from) : resolve2(base ?? ".", "styles.css");
  const options = { from: file, base: resolve2(base ?? dirname2(file)), loadStylesheet, loadModule };
  const loadDesignSystem = designSystemLoader(tailwindcss);
  try {
    const { theme } = await loadDesignSystem(css2, options);
    const compiled = await tailwindcss.compile(css2, options);
    const { prefix } = theme;
    const { root, modes } = readStylesheet(compiled.build([]));
    return { prefix, entries: () => theme.entries(), rootProperties: root, modes };
  } catch (error) {
    const reason = describeError(error);
    const hasLocation = error instanceof Error && error.name === "CssSyntaxError";
    throw new Error(hasLocation ? reason : `${file}: ${reason}`, { cause: error });
  }
}
function designSystemLoader(tailwind) {
  if ("__unstable__loadDesignSystem" in tailwind) return tailwind.__unstable__loadDesignSystem;
  const { version } = createRequire2(import.meta.url)("tailwindcss/package.json");
  throw new Error(
    `sitewright/tailwind: tailwindcss ${version} has no __unstable__loadDesignSystem; install a release of 4 that has it, such as 4.3`
  );
}

// ../../pal/tw4.ts
import fs from "node:fs";
fs.mkdirSync("/tmp/pal/tw", { recursive: true });
fs.writeFileSync("/tmp/pal/tw/c.mjs", 'export default { theme: { extend: { colors: { brand: "rgb(var(--x) / <alpha-value>)", fn: ({opacityValue}) => `rgb(1 2 3 / ${opacityValue})` } } } }');
var css = `@config "./c.mjs"; @theme inline { --color-paper: var(--paper); --color-a: --alpha(var(--color-red) / 50%); --color-red: #f00; --color-m: color-mix(in oklab, var(--color-red) 20%, transparent); --color-primary: var(--color-primary) } :root { --paper: #fff; --x: 1 2 3 } .dark { --paper: #000 } @media (prefers-color-scheme: dark) { :root { --paper: #111 } }`;
console.log(await fromTailwind4(css, { base: "/tmp/pal/tw" }));
