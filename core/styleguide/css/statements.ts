import { type CSSToken, TokenType, tokenizer } from '@csstools/css-tokenizer'

/** A declaration, an at-rule without a block, or the text before a block. */
export interface Statement {
  text: string
  /** Index of the statement's first character in the stylesheet. */
  start: number
  /** The type of the first token that is neither white space nor a comment. */
  firstType?: string
  /** The unescaped name of a custom property that the statement may declare. */
  property?: string | undefined
  /** Index of a declaration's value in the text, after the colon; `undefined` for anything but a custom property. */
  valueStart?: number
  /** The closing brackets that are still missing. */
  brackets: string[]
  bangs: number
  isInvalid: boolean
}

/** Receives the parts of a stylesheet in their order. */
interface StatementReader {
  /** A block begins, with the text before its `{`. */
  open?: (prelude: string, isInvalid: boolean) => void
  close?: () => void
  statement: (statement: Statement) => void
}

const closers: ReadonlyMap<TokenType, TokenType> = new Map([
  [TokenType.Function, TokenType.CloseParen],
  [TokenType.OpenParen, TokenType.CloseParen],
  [TokenType.OpenSquare, TokenType.CloseSquare],
  [TokenType.OpenCurly, TokenType.CloseCurly],
])
const invalidTypes: ReadonlySet<TokenType> = new Set([TokenType.BadString, TokenType.BadURL, ...closers.values()])

/** Splits a stylesheet into its statements and blocks. Takes linear time; malformed CSS is read as browsers read it. */
export function readStatements(css: string, reader: StatementReader): void {
  const tokens = tokenizer({ css })
  let depth = 0
  let current = newStatement()
  const endStatement = () => {
    reader.statement(current)
    current = newStatement()
  }
  while (!tokens.endOfFile()) {
    const token = tokens.nextToken()
    const type = token[0]
    const isNested = current.brackets.length > 0
    // The value of a declaration may be a block; no rule starts like a declaration.
    const isDeclaration = current.valueStart !== undefined && depth > 0
    if (type === TokenType.OpenCurly && !isNested && !isDeclaration) {
      reader.open?.(current.text, current.isInvalid)
      depth++
      current = newStatement()
    } else if (type === TokenType.CloseCurly && !isNested && depth > 0) {
      endStatement()
      reader.close?.()
      depth--
    } else if (type === TokenType.Semicolon && !isNested && (depth > 0 || current.firstType === TokenType.AtKeyword))
      endStatement()
    else addToken(current, token)
  }
  endStatement()
}

function newStatement(): Statement {
  return { text: '', start: 0, brackets: [], bangs: 0, isInvalid: false }
}

function addToken(statement: Statement, token: CSSToken): void {
  const type = token[0]
  const { brackets } = statement
  const closer = closers.get(type)
  if (closer) brackets.push(closer)
  else if (type === brackets.at(-1)) brackets.pop()
  else if (invalidTypes.has(type)) statement.isInvalid = true
  else if (type === TokenType.Delim && token[1] === '!' && brackets.length === 0) statement.bangs++
  statement.text += type === TokenType.Comment ? ' ' : token[1]
  if (type === TokenType.Whitespace || type === TokenType.Comment) return
  if (statement.firstType === undefined) {
    statement.start = token[2]
    statement.firstType = type
    if (type === TokenType.Ident && /^--./s.test(token[4].value)) statement.property = token[4].value
  } else if (statement.valueStart === undefined) {
    if (type === TokenType.Colon && statement.property !== undefined) statement.valueStart = statement.text.length
    else statement.property = undefined
  }
}

/** Returns the name and the value of the declaration of a custom property. */
export function parseDeclaration({ text, property, valueStart, bangs }: Statement): [string, string] | undefined {
  if (property === undefined || valueStart === undefined) return undefined
  const written = text.slice(valueStart).trim()
  const value = bangs === 1 ? written.replace(/!\s*important$/i, '') : written
  return bangs > 0 && value === written ? undefined : [property, value.trim()]
}
