package chunk

import "regexp"

// unsaying are the names that say nothing: those that cameras, scanners and
// editors give, and what a hand types when no word comes to mind.
var unsaying = regexp.MustCompile(`^(?:img|image|dsc|dscn|pict|scan|scanned|doc|document|dokument|documento|file|datei|untitled|unbenannt|senza nome|sans titre|sin título|new text document|neues textdokument|nuovo documento di testo|nouveau document texte|nuevo documento de texto|list|liste|lista|misc|sonstiges|varie|divers|varios|things|stuff|export|data|new|neu)[ _-]?(?:\(?[0-9]+\)?[ _-]?)*$|^[b-df-hj-np-tv-xz]{4,}$|^(?:a+|b+|c+|x+|y+|z+)$`)

// passingEndings are those of files that programs keep for a while.
var passingEndings = []string{".log", ".tmp", ".bak", ".out", ".part", ".crdownload", ".swp", ".dmp"}

// Words in English, Italian, German, French and Spanish.
var (
	transientNames = []string{
		"chat export", "chat mit", "chat con", "chat avec", "whatsapp", "telegram", "slack", "transcript of chat", "debug", "trace", "crash", "dump",
		"scratch", "screenshot", "bildschirmfoto",
		"captura de pantalla", "capture d'écran", "schermata", "copy of", "kopie von", "copia di", "copie de", "copia de", "shopping list",
		"einkaufsliste", "lista della spesa", "liste de courses", "lista de la compra",
		"log", "logs", "autosave", "clipboard", "boarding pass", "boarding-pass", "bordkarte", "carta d'imbarco", "carte d'embarquement", "tarjeta de embarque", "train ticket", "fahrkarte", "verification code", "bestätigungscode", "codice di verifica", "code de vérification", "código de verificación", "meeting link", "reminder", "erinnerung", "promemoria", "rappel", "recordatorio", "shopping",
	}
	snapshotNames = []string{
		"minutes", "meeting", "agenda", "notes", "note", "draft", "report", "status", "newsletter", "invoice", "receipt", "statement", "journal", "diary", "todo", "to-do", "budget", "forecast", "offer", "quote", "wip", "memo",
		"verbale", "riunione", "ordine del giorno", "appunti", "bozza", "relazione", "rapporto", "resoconto", "fattura", "ricevuta", "preventivo", "bilancio", "diario", "estratto conto",
		"protokoll", "sitzung", "tagesordnung", "notiz", "entwurf", "bericht", "rechnung", "quittung", "angebot", "haushaltsplan", "tagebuch", "kontoauszug", "rundschreiben",
		"procès-verbal", "compte rendu", "compte-rendu", "réunion", "ordre du jour", "brouillon", "rapport", "facture", "reçu", "devis", "relevé",
		"acta", "reunión", "orden del día", "apuntes", "borrador", "informe", "factura", "recibo", "presupuesto", "extracto",
		"letter", "readings", "results", "transcript", "interview", "incident", "inspection", "claim", "cash book", "accounts", "stock count", "attendance", "participants", "comparison", "feasibility", "proposal", "kickoff", "kick-off", "speech", "cv", "curriculum", "brief", "schreiben", "zählerstände", "ergebnisse", "begehung", "kassenbuch", "abrechnung", "vergleich", "vorschlag", "pressemitteilung", "rede", "lebenslauf", "kündigung", "lettera", "letture", "risultati", "sondaggio", "intervista", "sopralluogo", "rimborso", "proposta", "comunicato", "disdetta", "lettre", "résultats", "sondage", "entretien", "proposition", "communiqué", "lecturas", "resultados", "encuesta", "entrevista", "propuesta", "comunicado",
		"presentation", "slides", "sales", "stock", "figures", "ideas", "wishes", "thoughts", "things to", "press release", "plan for",
		"presentazione", "vendite", "idee", "pensieri",
		"präsentation", "umsatz", "ideen", "gedanken", "wünsche",
		"présentation", "ventes", "idées",
		"presentación", "ventas",
	}
	factNames = []string{
		"manual", "handbook", "guide", "statute", "bylaws", "rules", "regulation", "policy", "contract", "agreement", "specification", "spec", "standard", "reference", "readme", "faq", "instructions", "procedure", "price list", "warranty", "license", "licence", "terms",
		"manuale", "guida", "statuto", "regolamento", "contratto", "accordo", "specifica", "norma", "istruzioni", "procedura", "listino", "garanzia", "condizioni",
		"handbuch", "anleitung", "leitfaden", "satzung", "hausordnung", "ordnung", "vertrag", "vereinbarung", "richtlinie", "vorschrift", "norm", "preisliste", "garantie", "bedingungen",
		"manuel", "statuts", "règlement", "contrat", "accord", "spécification", "norme", "mode d'emploi", "procédure", "tarif", "conditions",
		"guía", "estatuto", "reglamento", "contrato", "acuerdo", "especificación", "instrucciones", "procedimiento", "lista de precios", "garantía", "condiciones",
		"recipe", "ruling", "judgment", "opening hours", "office hours", "timetable", "contacts", "phone numbers", "keys", "config", "configuration", "settings", "glossary", "syllabus", "certificate", "floor plan", "site plan", "map",
		"ricetta", "sentenza", "orari", "contatti", "chiavi", "impostazioni", "glossario", "certificato", "planimetria",
		"rezept", "urteil", "öffnungszeiten", "stundenplan", "kontakte", "telefonliste", "schlüssel", "einstellungen", "glossar", "urkunde", "grundriss", "lageplan",
		"recette", "jugement", "horaires", "clés", "paramètres", "glossaire", "certificat",
		"receta", "sentencia", "horarios", "contactos", "llaves", "ajustes", "glosario", "certificado",
	}
	transientFolders = []string{"tmp", "temp", "cache", "logs", "log", "trash", "cestino", "papierkorb", "corbeille", "papelera", "chats", "chat exports", "chat", "scratch", "crash",
		"thumbs", "thumbnails", "spam", "junk", "dist", "build", "messages export", "whatsapp", "telegram",
	}
	snapshotFolders = []string{"notes", "drafts", "journal", "minutes", "meetings", "reports", "invoices", "mail", "inbox", "archive mail", "weekly", "monthly", "daily",
		"appunti", "bozze", "verbali", "riunioni", "relazioni", "rapporti", "fatture", "posta",
		"notizen", "entwürfe", "protokolle", "sitzungen", "berichte", "rechnungen",
		"brouillons", "réunions", "comptes rendus", "rapports", "factures", "courrier",
		"apuntes", "borradores", "actas", "reuniones", "informes", "facturas", "correo",
		"correspondence", "letters", "calendar", "tickets", "surveys", "transcripts", "interviews", "press", "statements", "korrespondenz", "schriftverkehr", "briefe", "kalender", "umfragen", "presse", "corrispondenza", "lettere", "calendario", "sondaggi", "stampa", "correspondance", "lettres", "calendrier", "sondages", "correspondencia", "cartas", "encuestas", "prensa",
	}
	factFolders = []string{"reference", "manuals", "handbook", "policies", "rules", "contracts", "specs", "specifications", "standards", "docs", "documentation", "legal", "books", "library",
		"manuali", "regolamenti", "contratti", "norme", "documentazione", "libri", "riferimento",
		"handbücher", "anleitungen", "regeln", "verträge", "normen", "dokumentation", "bücher", "referenz",
		"manuels", "règlements", "contrats", "normes", "référence", "livres",
		"manuales", "reglamentos", "contratos", "normas", "documentación", "referencia", "libros",
		"wiki", "laws", "templates", "training", "teaching", "courses", "recipes", "inventory", "maps", "gesetze", "vorlagen", "schulung", "kurse", "rezepte", "inventar", "karten", "leggi", "modelli", "corsi", "ricette", "inventario", "mappe", "lois", "modèles", "cours", "recettes", "inventaire", "cartes", "leyes", "plantillas", "cursos", "recetas", "mapas",
	}
	// formNames are what is used again and again, whatever it is the form of.
	formNames = []string{
		"how to", "how-to", "howto", "chart of accounts", "kontenrahmen", "piano dei conti", "plan comptable", "plan contable", "template", "letterhead", "letter head", "form", "checklist", "questionnaire",
		"vorlage", "muster", "briefkopf", "formular", "checkliste", "fragebogen",
		"modello", "modulo", "carta intestata", "questionario",
		"modèle", "formulaire", "en-tête",
		"plantilla", "formulario", "membrete", "cuestionario",
	}
	downloadFolders = []string{"downloads", "download", "scaricati", "téléchargements", "descargas"}
)
