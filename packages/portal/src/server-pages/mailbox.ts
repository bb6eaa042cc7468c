// Only names the styles of the mailbox and of the components it uses: the built page has no script.
import '../sign-in-area/main.tsx'
import './mailbox.css'
