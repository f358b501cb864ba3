package pack

// DefaultBudget is the most evidence tokens where no setting says otherwise.
const DefaultBudget = 2400

// Budget is the number of evidence tokens that a machine reads in the wished
// time: min(setting, rate × seconds), but at least what the two best children
// cost, and never more than the room in the model's window. A rate or a time of
// 0 does not bound.
func Budget(setting int, tokensPerSecond, seconds float64, twoBest, room int) int {
	if setting <= 0 {
		setting = DefaultBudget
	}
	budget := setting
	if tokensPerSecond > 0 && seconds > 0 {
		budget = min(budget, int(tokensPerSecond*seconds))
	}
	budget = max(budget, twoBest)
	if room > 0 {
		budget = min(budget, room)
	}
	return budget
}
