import { parts } from '../parts.ts'
import { begin, fill, list, problemsOf, report, translatedTags, UsageError } from './commands.ts'
import { docComments } from './doc-comments.ts'
import { readEnglishTexts } from './english-texts.ts'

const usage = `Usage: npm run translate -- new TAG           begins a translation: a file with the English texts
       npm run translate -- check [TAG]       finds mistakes, in one translation or in all
       npm run translate -- fill TAG          adds new English texts to a translation
       npm run translate -- list TAG [PART]   prints English and the translation side by side`

const say = (text: string) => process.stdout.write(`${text}\n`)

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  // The reader closed the pipe, as in `npm run translate -- list de | head`. A shell reports SIGPIPE with this code.
  process.exit(141)
})

const commentsOf = () => {
  const comments = new Map(Object.entries(parts).map(([part, catalog]) => [part, docComments(catalog)]))
  return ([part = '', ...path]: readonly string[]) => comments.get(part)?.(path)
}

const [command, tag, part] = process.argv.slice(2)
try {
  const english = await readEnglishTexts(parts)
  if (command === 'new' && tag) say(begin(tag, english))
  else if (command === 'fill' && tag) say(fill(tag, english))
  else if (command === 'list' && tag) say(list(tag, part, english, commentsOf()))
  else if (command === 'check')
    for (const one of tag ? [tag] : translatedTags()) {
      const problems = problemsOf(one, english)
      say(report(one, problems, english))
      if (problems.length > 0) process.exitCode = 1
    }
  else throw new UsageError(usage)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
