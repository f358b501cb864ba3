package chunk

import (
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"referent/rag"
)

// settled is the age at which a file in a folder of passing things has shown
// that it was meant to stay.
const settled = 180 * 24 * time.Hour

// Class gives a document its retention class by default, and says why in words
// for people. A fact is reference that holds until it is replaced; a snapshot
// says how things stood on a day; what is transient was never meant to be
// kept. The names of folders and of the file decide, nearest folder first; then
// the kind; now and modified are only compared with each other.
func Class(path, kind string, modified, now time.Time) (class rag.Class, why string) {
	name := strings.ToLower(filepath.Base(path))
	stem := strings.TrimSuffix(name, filepath.Ext(name))
	if w := match(transientNames, stem); w != "" {
		return rag.ClassTransient, "The file name says “" + w + "”."
	}
	if strings.HasSuffix(name, ".log") || strings.HasSuffix(name, ".tmp") || strings.HasSuffix(name, ".bak") || strings.HasPrefix(name, "~") {
		return rag.ClassTransient, "Files of this type are written by programs for a while."
	}
	if w := match(snapshotNames, stem); w != "" {
		return rag.ClassSnapshot, "The file name says “" + w + "”."
	}
	// A rule stays a rule with a date in its name ("statutes 2023").
	if w := match(factNames, stem); w != "" {
		return rag.ClassFact, "The file name says “" + w + "”."
	}
	if d := dated.FindString(stem); d != "" {
		return rag.ClassSnapshot, "The file name holds the date " + strings.Trim(d, " -_.") + "."
	}
	folders := strings.Split(filepath.ToSlash(filepath.Dir(path)), "/")
	for i := len(folders) - 1; i >= 0 && i >= len(folders)-4; i-- {
		f := strings.ToLower(folders[i])
		switch {
		case match(transientFolders, f) != "":
			if strings.HasPrefix(f, "download") && now.Sub(modified) > settled {
				return rag.ClassUnknown, "The file has been in “" + folders[i] + "” for more than half a year."
			}
			return rag.ClassTransient, "The folder is named “" + folders[i] + "”."
		case match(snapshotFolders, f) != "":
			return rag.ClassSnapshot, "The folder is named “" + folders[i] + "”."
		case match(factFolders, f) != "":
			return rag.ClassFact, "The folder is named “" + folders[i] + "”."
		}
	}
	switch kind {
	case "email":
		return rag.ClassSnapshot, "Messages say how things stood when they were written."
	case "code", "epub":
		return rag.ClassFact, "Files of this kind are kept as reference."
	case "notebook":
		return rag.ClassSnapshot, "Notebooks are working notes."
	case "pdf", "docx", "odt", "rtf", "html":
		return rag.ClassFact, "Documents of this kind are kept as reference unless their name or folder says otherwise."
	}
	return rag.ClassUnknown, "Nothing in the name, the folder or the kind says how long it holds."
}

// dated finds a day, month or quarter in a name: 2024-03-12, 20240312,
// 12.03.2024, 2024-03, 2024 Q1, 2024-W07. A year alone is an edition.
var dated = regexp.MustCompile(`(?:^|[^0-9])((?:19|20)\d\d[-_. ]?(?:0[1-9]|1[0-2])[-_. ]?(?:0[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])[-_. ](?:0?[1-9]|1[0-2])[-_. ](?:19|20)\d\d|(?:19|20)\d\d[-_. ](?:0[1-9]|1[0-2])|(?:19|20)\d\d[-_. ]?(?:q[1-4]|kw? ?\d\d|w\d\d))(?:[^0-9]|$)`)

// match gives the first word that text holds as a word of its own, or, if long,
// at the beginning or the end of a compound ("Protokoll" in "Protokollbuch",
// "Bericht" in "Kassenbericht").
func match(words []string, text string) string {
	for _, w := range words {
		for from := 0; ; {
			i := strings.Index(text[from:], w)
			if i < 0 {
				break
			}
			i += from
			from = i + len(w)
			begins, ends := i == 0 || !letter(text[i-1]), from == len(text) || !letter(text[from])
			if begins && ends || begins && len(w) >= 6 || ends && len(w) >= 7 {
				return w
			}
		}
	}
	return ""
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 0x80 }

// Words in English, Italian, German, French and Spanish.
var (
	transientNames = []string{
		"chat export", "chat mit", "chat con", "chat avec", "whatsapp", "telegram", "slack", "transcript of chat", "debug", "trace", "crash", "dump",
		"temp", "tmp", "untitled", "unbenannt", "senza nome", "sans titre", "sin título", "scratch", "clipboard", "screenshot", "bildschirmfoto",
		"captura de pantalla", "capture d'écran", "schermata", "copy of", "kopie von", "copia di", "copie de", "copia de", "shopping list",
		"einkaufsliste", "lista della spesa", "liste de courses", "lista de la compra",
	}
	snapshotNames = []string{
		"minutes", "meeting", "agenda", "notes", "note", "draft", "report", "status", "newsletter", "invoice", "receipt", "statement", "journal", "diary", "todo", "to-do", "budget", "forecast", "offer", "quote", "wip", "memo",
		"verbale", "riunione", "ordine del giorno", "appunti", "bozza", "relazione", "rapporto", "resoconto", "fattura", "ricevuta", "preventivo", "bilancio", "diario", "estratto conto",
		"protokoll", "sitzung", "tagesordnung", "notiz", "entwurf", "bericht", "rechnung", "quittung", "angebot", "haushaltsplan", "tagebuch", "kontoauszug", "rundschreiben",
		"procès-verbal", "compte rendu", "compte-rendu", "réunion", "ordre du jour", "brouillon", "rapport", "facture", "reçu", "devis", "relevé",
		"acta", "reunión", "orden del día", "apuntes", "borrador", "informe", "factura", "recibo", "presupuesto", "extracto",
	}
	factNames = []string{
		"manual", "handbook", "guide", "statute", "bylaws", "rules", "regulation", "policy", "contract", "agreement", "specification", "spec", "standard", "reference", "readme", "faq", "instructions", "procedure", "price list", "warranty", "license", "licence", "terms",
		"manuale", "guida", "statuto", "regolamento", "contratto", "accordo", "specifica", "norma", "istruzioni", "procedura", "listino", "garanzia", "condizioni",
		"handbuch", "anleitung", "leitfaden", "satzung", "hausordnung", "ordnung", "vertrag", "vereinbarung", "richtlinie", "vorschrift", "norm", "preisliste", "garantie", "bedingungen",
		"manuel", "statuts", "règlement", "contrat", "accord", "spécification", "norme", "mode d'emploi", "procédure", "tarif", "conditions",
		"guía", "estatuto", "reglamento", "contrato", "acuerdo", "especificación", "instrucciones", "procedimiento", "lista de precios", "garantía", "condiciones",
	}
	transientFolders = []string{"tmp", "temp", "cache", "logs", "log", "trash", "cestino", "papierkorb", "corbeille", "papelera", "downloads", "download", "chats", "chat exports", "chat", "scratch", "crash"}
	snapshotFolders  = []string{"notes", "drafts", "journal", "minutes", "meetings", "reports", "invoices", "mail", "inbox", "archive mail", "weekly", "monthly", "daily",
		"appunti", "bozze", "verbali", "riunioni", "relazioni", "rapporti", "fatture", "posta",
		"notizen", "entwürfe", "protokolle", "sitzungen", "berichte", "rechnungen",
		"brouillons", "réunions", "comptes rendus", "rapports", "factures", "courrier",
		"apuntes", "borradores", "actas", "reuniones", "informes", "facturas", "correo"}
	factFolders = []string{"reference", "manuals", "handbook", "policies", "rules", "contracts", "specs", "specifications", "standards", "docs", "documentation", "legal", "books", "library",
		"manuali", "regolamenti", "contratti", "norme", "documentazione", "libri", "riferimento",
		"handbücher", "anleitungen", "regeln", "verträge", "normen", "dokumentation", "bücher", "referenz",
		"manuels", "règlements", "contrats", "normes", "référence", "livres",
		"manuales", "reglamentos", "contratos", "normas", "documentación", "referencia", "libros"}
)
